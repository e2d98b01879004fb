/* exchange.c - see exchange.h.
 *
 * In C++ padding does not count.  In C it does, and may differ wherever it has no certain
 * value: so even a strong exchange of what is equal may fail.  That makes it known: it is then
 * what it is in the object, and in what was expected, so the next exchange finds the same.
 * Other bits that are not defined on both sides may be parts of a union that are not used, or
 * members that were never set and have been copied: both outcomes are possible, too.  Where
 * only one side is undefined, or nothing of a word is defined, an undefined value is used. */
#include "exchange.h"

#include <string.h>

#include "vm/exec/listen.h"
#include "vm/program.h"

static const struct vm_padding *padding_of(const struct vm *vm, const struct vm_insn *i)
{
    return &vm->program->paddings[(i->k >> 40) - 1];
}

static uint32_t bytes_of(const struct vm_insn *i)
{
    return (uint32_t)(i->k & 255);
}

/* Returns the bits of a word that the exchange has. */
static uint64_t bits_of(const struct vm_insn *i)
{
    return bytes_of(i) < 8 ? vm_low(8 * bytes_of(i)) : ~0ull;
}

/* Compares n words of a type without padding.  Bits that are undefined in both count as equal,
 * unless nothing is defined. */
static enum vm_match match(const struct vm_value *found, const struct vm_value *want,
                           uint32_t n, uint64_t low)
{
    uint64_t defined = 0;
    bool alike = true;
    for (uint32_t k = 0; k < n; k++) {
        if ((found[k].v ^ want[k].v) & found[k].m & want[k].m)
            return VM_DIFFERENT;
        alike &= found[k].m == want[k].m;
        defined |= found[k].m & low;
    }
    return alike && defined ? VM_SAME : VM_UNDEFINED;
}

static enum vm_match match_padded(const struct vm_padding *padding,
                                  const struct vm_value *found, const struct vm_value *want,
                                  uint32_t n, uint64_t low)
{
    bool undefined = false, open = false;
    for (uint32_t k = 0; k < n; k++) {
        uint64_t known = found[k].m & want[k].m & low, members = low & ~padding->bits[k];
        uint64_t counts = padding->ignored ? members : low;
        if ((found[k].v ^ want[k].v) & known & counts)
            return VM_DIFFERENT;
        if (~known & members)
            undefined |= ((found[k].m ^ want[k].m) & members) || !(known & members);
        open |= (~known & counts) != 0;
    }
    return undefined ? VM_UNDEFINED : open ? VM_OPEN : VM_SAME;
}

enum vm_match vm_match(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                       const struct vm_value found[2])
{
    uint32_t n = bytes_of(i) == 16 ? 2 : 1;
    struct vm_value want[2] = {vm_value_in(f, i->b)};
    if (n == 2)
        want[1] = vm_value_in(f, i->b + 1);
    return vm_may_have_padding(i) ? match_padded(padding_of(vm, i), found, want, n, bits_of(i))
                                  : match(found, want, n, bits_of(i));
}

bool vm_sets_padding(const struct vm *vm, const struct vm_insn *i)
{
    return padding_of(vm, i)->known;
}

void vm_set_padding(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                    struct vm_value found[2])
{
    const struct vm_padding *padding = padding_of(vm, i);
    for (uint32_t k = 0; k < (bytes_of(i) == 16 ? 2 : 1); k++) {
        struct vm_value want = vm_value_in(f, i->b + k);
        uint64_t unset = padding->bits[k] & ~found[k].m;
        found[k].v = (found[k].v & ~unset) | (~(want.v & want.m) & unset);
        found[k].m |= unset;
    }
}

void vm_tell_padding(struct vm *vm, const struct vm_insn *i)
{
    static const char padding[] = "compare-exchange fails: padding may differ, all bytes count",
                      other[] = "compare-exchange fails: bytes that were never set may differ";
    const char *text = vm_sets_padding(vm, i) ? padding : other;
    if (vm->listener)
        vm_emit(vm, &(struct vm_event){.kind = VM_EVENT_TRACE,
                                       .trace = VM_TRACE_NOTE,
                                       .data = text,
                                       .len = strlen(text)});
}
