/* exchange.h - how what a compare-exchange finds compares with what it expects. */
#ifndef VM_EXCHANGE_H
#define VM_EXCHANGE_H

#include "vm/exec/register.h"
#include "vm/machine.h"

/* OPEN: bits that count are undefined on both sides, all others are equal; so it may succeed,
 * and may fail.  UNDEFINED: an undefined value would be used, which is a fault. */
enum vm_match { VM_DIFFERENT, VM_SAME, VM_OPEN, VM_UNDEFINED };

/* Compares what was found, a word or the two of 16 bytes, with what the instruction expects, in
 * frame f. */
enum vm_match vm_match(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                       const struct vm_value found[2]);
/* Can it be OPEN?  Then the instruction is marked (vm/load/prepare/load_exchange.c). */
static inline bool vm_may_have_padding(const struct vm_insn *i)
{
    return i->op == VM_OP_CMPXCHG && i->k >> 40;
}
/* Has padding that is undefined a value when such an exchange has failed? */
bool vm_sets_padding(const struct vm *vm, const struct vm_insn *i);
/* Gives padding that was found undefined another value than was expected. */
void vm_set_padding(const struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                    struct vm_value found[2]);
/* Tells who listens why an exchange of what is OPEN has failed. */
void vm_tell_padding(struct vm *vm, const struct vm_insn *i);

#endif
