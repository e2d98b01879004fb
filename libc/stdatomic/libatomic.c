/* libatomic.c - atomic objects of any size: what the compiler calls for those that the
 * processor has no instruction for.  Each is one visible action; the caller's buffers
 * are read and written plainly, in user mode. */
#include <stdlib.h>
#include <string.h>

#include "os/os.h"

/* The compiler knows these names as its own. */
void atomic_load_any(size_t, const void *, void *, int) __asm__("__atomic_load");
void atomic_store_any(size_t, void *, const void *, int) __asm__("__atomic_store");
void atomic_exchange_any(size_t, void *, const void *, void *,
                         int) __asm__("__atomic_exchange");
_Bool atomic_compare_any(size_t, void *, void *, const void *, int,
                         int) __asm__("__atomic_compare_exchange");
_Bool atomic_is_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");

enum { WORDS = 32 }; /* larger values are kept on the heap */

struct buffer {
    uint64_t word[WORDS];
    unsigned char *bytes;
};

static void begin(struct buffer *b, size_t n)
{
    b->bytes = n <= sizeof b->word ? (unsigned char *)b->word : malloc(n);
}

static void end(struct buffer *b)
{
    if (b->bytes != (unsigned char *)b->word)
        free(b->bytes);
}

void atomic_load_any(size_t n, const void *from, void *to, int order)
{
    struct buffer b;
    (void)order;
    begin(&b, n);
    os_act(VM_ACT_LOAD, from, n);
    memcpy(b.bytes, from, n);
    os_leave();
    memcpy(to, b.bytes, n);
    end(&b);
}

void atomic_store_any(size_t n, void *to, const void *from, int order)
{
    struct buffer b;
    (void)order;
    begin(&b, n);
    memcpy(b.bytes, from, n);
    os_act(VM_ACT_STORE, to, n);
    memcpy(to, b.bytes, n);
    os_leave();
    end(&b);
}

void atomic_exchange_any(size_t n, void *object, const void *from, void *old, int order)
{
    struct buffer fresh, was;
    (void)order;
    begin(&fresh, n);
    begin(&was, n);
    memcpy(fresh.bytes, from, n);
    os_act(VM_ACT_RMW, object, n);
    memcpy(was.bytes, object, n);
    memcpy(object, fresh.bytes, n);
    os_leave();
    memcpy(old, was.bytes, n);
    end(&fresh);
    end(&was);
}

/* Word by word by the machine's compare-exchange, which knows what padding is. */
static _Bool is_same(const unsigned char *there, const unsigned char *wanted, size_t n)
{
    for (size_t at = 0; at < n; at += 8) {
        uint64_t a = 0, b = 0;
        size_t size = n - at < sizeof a ? n - at : sizeof a;
        memcpy(&a, there + at, size);
        memcpy(&b, wanted + at, size);
        if (!__atomic_compare_exchange_n(&a, &b, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
            return 0;
    }
    return 1;
}

_Bool atomic_compare_any(size_t n, void *object, void *expected, const void *desired,
                         int success, int failure)
{
    struct buffer fresh, was;
    (void)success, (void)failure;
    begin(&fresh, n);
    begin(&was, n);
    memcpy(fresh.bytes, desired, n);
    memcpy(was.bytes, expected, n);
    os_act(VM_ACT_CMPXCHG, object, n);
    _Bool equal = is_same(object, was.bytes, n);
    memcpy(equal ? object : was.bytes, equal ? fresh.bytes : object, n);
    os_leave();
    if (!equal)
        memcpy(expected, was.bytes, n);
    end(&fresh);
    end(&was);
    return equal;
}

/* The same for 16 bytes, by value. */
typedef unsigned __int128 wide;
wide __atomic_load_16(const void *, int);
void __atomic_store_16(void *, wide, int);
wide __atomic_exchange_16(void *, wide, int);
_Bool __atomic_compare_exchange_16(void *, void *, wide, int, int);

wide __atomic_load_16(const void *from, int order)
{
    wide value;
    atomic_load_any(16, from, &value, order);
    return value;
}

void __atomic_store_16(void *to, wide value, int order)
{
    atomic_store_any(16, to, &value, order);
}

wide __atomic_exchange_16(void *object, wide value, int order)
{
    wide old;
    atomic_exchange_any(16, object, &value, &old, order);
    return old;
}

_Bool __atomic_compare_exchange_16(void *object, void *expected, wide desired, int success,
                                   int failure)
{
    return atomic_compare_any(16, object, expected, &desired, success, failure);
}

#define FETCH(name, expression)                                      \
    wide __atomic_fetch_##name##_16(void *object, wide b, int order) \
    {                                                                \
        (void)order;                                                 \
        os_act(VM_ACT_RMW, object, 16);                              \
        wide a = *(wide *)object;                                    \
        *(wide *)object = expression;                                \
        os_leave();                                                  \
        return a;                                                    \
    }
FETCH(add, a + b)
FETCH(sub, a - b)
FETCH(and, a &b)
FETCH(or, a | b)
FETCH(xor, a ^ b)
FETCH(nand, ~(a &b))

_Bool atomic_is_free(size_t n, const volatile void *object)
{
    (void)object;
    return n == 1 || n == 2 || n == 4 || n == 8;
}
