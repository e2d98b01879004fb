/* exchange.c - compare-exchange of objects that no instruction exchanges, whose types may have
 * padding, which nobody sets.  vm/exec/exchange.c does the same for the others.
 *
 * In C++ it does not count.  In C it does, and may differ wherever it has no certain value: so
 * even a strong exchange of what is equal may fail.  That makes it known: it is then what it is
 * in the object, and in what was expected, so the next exchange finds the same.
 * Other bits that are not defined on both sides may be parts of a union that are not used, or
 * members that were never set and have been copied: both outcomes are possible, too.  Where
 * only one side is undefined, an undefined value is used. */
#include <string.h>

#include "atomic_impl.h"
#include "os/error.h"

enum { WORD = sizeof(uint64_t) };

struct found {
    bool differs, undefined, open;
};

static size_t size_at(size_t n, size_t at)
{
    return n - at < WORD ? n - at : WORD;
}

static uint64_t word_at(const unsigned char *bytes, size_t n, size_t at)
{
    uint64_t word = 0;
    memcpy(&word, bytes + at, size_at(n, at));
    return word;
}

/* Compares one word.  Whole words are compared as they are: they may be pointers. */
static void compare(struct found *f, uint64_t a, uint64_t b, uint64_t padding, int how)
{
    uint64_t in_a = __divm_defined(a), in_b = __divm_defined(b), known = in_a & in_b;
    uint64_t minded = how & ATOMIC_VALUES ? ~padding : UINT64_MAX;
    if ((known & minded) == UINT64_MAX)
        f->differs |= a != b;
    else
        f->differs |= ((a ^ b) & known & minded) != 0;
    if (~known & ~padding)
        f->undefined |= ((in_a ^ in_b) & ~padding) || !(known & ~padding);
    f->open |= (~known & minded) != 0;
}

/* Sets padding that was not known to other bits than those that it was compared with. */
static void set_padding(unsigned char *object, const unsigned char *wanted, size_t n,
                        const uint64_t *padding)
{
    for (size_t at = 0; at < n; at += WORD) {
        uint64_t a = word_at(object, n, at), b = word_at(wanted, n, at);
        uint64_t unset = padding[at / WORD] & ~__divm_defined(a);
        if (!unset)
            continue;
        a = (a & ~unset) | (~(b & __divm_defined(b)) & unset);
        memcpy(object + at, &a, size_at(n, at));
    }
}

static bool fails(unsigned char *object, const unsigned char *wanted, size_t n,
                  const uint64_t *padding)
{
    static const char note[] = "compare-exchange fails: padding may differ, all bytes count";
    static const char other[] = "compare-exchange fails: bytes that were never set may differ";
    if (!__divm_choose(2, NULL))
        return false;
    if (padding) {
        set_padding(object, wanted, n, padding);
        __divm_trace(VM_TRACE_NOTE, note, sizeof note - 1);
    } else {
        __divm_trace(VM_TRACE_NOTE, other, sizeof other - 1);
    }
    return true;
}

static bool is_same(unsigned char *object, const unsigned char *wanted, size_t n,
                    const uint64_t *padding, int how)
{
    struct found f = {0};
    for (size_t at = 0; at < n; at += WORD) {
        size_t bits = size_at(n, at) * 8;
        uint64_t in = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
        compare(&f, word_at(object, n, at), word_at(wanted, n, at),
                padding ? padding[at / WORD] & in : 0, how);
    }
    if (f.differs)
        return false;
    if (f.undefined)
        __os_error(VM_FAULT_UNDEFINED, "compare-exchange of an undefined value");
    return !f.open || !fails(object, wanted, n, padding);
}

/* Checks alignment as the machine's instruction would. */
static void check_alignment(const void *object, size_t n)
{
    if (n == 2)
        (void)__atomic_load_n((const uint16_t *)object, __ATOMIC_SEQ_CST);
    if (n == 4)
        (void)__atomic_load_n((const uint32_t *)object, __ATOMIC_SEQ_CST);
    if (n == 8)
        (void)__atomic_load_n((const uint64_t *)object, __ATOMIC_SEQ_CST);
}

_Bool atomic_compare_padded(size_t n, void *object, void *expected, const void *desired,
                            const uint64_t *padding, int how, int success, int failure)
{
    struct atomic_buffer fresh, was;
    atomic_begin(&fresh, n);
    atomic_begin(&was, n);
    memcpy(fresh.bytes, desired, n);
    memcpy(was.bytes, expected, n);
    bool acts = atomic_act(VM_ACT_CMPXCHG, object, n);
    check_alignment(object, n);
    bool equal = is_same(object, was.bytes, n, padding, how);
    if (!equal)
        memcpy(was.bytes, object, n);
    memcpy(object, equal ? fresh.bytes : was.bytes, n); /* in any case: it may be constant */
    atomic_order(object, n, ATOMIC_READS | (equal ? ATOMIC_WRITES : 0),
                 equal ? success : failure);
    atomic_leave(acts);
    if (!equal)
        memcpy(expected, was.bytes, n);
    atomic_end(&fresh);
    atomic_end(&was);
    return equal;
}
