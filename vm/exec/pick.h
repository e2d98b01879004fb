/* pick.h - which store an atomic access reads, or comes after, where that is not always the
 * last one (docs/MEMORY_MODELS.md): a choice of the transition. */
#ifndef VM_PICK_H
#define VM_PICK_H

#include "vm/exec/register.h"
#include "vm/machine.h"
#include "vm/order/order.h"

/* An atomic access in the terms of the memory model: the arguments of vm_order_atomic. */
struct vm_pick {
    struct vm_event_of event;
    struct vm_option option;
    struct vm_value last[2]; /* what was in memory */
    bool spurious;           /* a compare-exchange that finds what it expects fails */
    bool open;               /* it finds what is VM_OPEN (exchange.h) */
};

/* Returns the event of an instruction's access.  fails: it is a compare-exchange that finds
 * another value than it wants, or fails spuriously. */
struct vm_event_of vm_event_of(const struct vm_insn *i, uint64_t p, uint32_t size, bool fails);

/* Chooses what an access reads.  NEXT, with the chosen value in memory, where vm_picked_done
 * puts back what was there unless the access has stored the last value; or the machine stops
 * for the choice, after which the instruction begins again; or the fault. */
enum vm_step vm_pick(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f, uint64_t p,
                     uint32_t size, struct vm_pick *pick);
/* Returns the fault of an access to bytes that others access in another way (vm_order_is_mixed,
 * vm_order_has_stores). */
enum vm_step vm_refuse_mixed(struct vm *vm, uint64_t p, uint32_t size, const char *how);
/* Chooses whether a compare-exchange that finds what it expects fails, if it may, where places
 * have one value.  NEXT and *spurious, or the machine stops, as above. */
enum vm_step vm_pick_failure(struct vm *vm, bool *spurious);
/* Does the access order nothing: is it relaxed, and atomic at all?  fails: a compare-exchange
 * does. */
bool vm_is_relaxed(const struct vm_insn *i, bool fails);
/* May a compare-exchange fail spuriously, as options.spurious_failures says?  In an atomic
 * section of divm.h none does. */
bool vm_is_weak(const struct vm *vm, const struct vm_insn *i);
/* Is it an exchange that changes nothing for anybody?  It finds the last store with the value
 * that it writes, and passes on what that store passes on. */
bool vm_picked_same(struct vm *vm, const struct vm_insn *i, const struct vm_obj *f,
                    const struct vm_pick *pick);
/* Ends a pick when the access has been executed. */
void vm_picked_done(struct vm *vm, const struct vm_pick *pick);

#endif
