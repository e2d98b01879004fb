/* late.h - deferred joins: the running thread has joined others without waiting for them, and
 * must wait before it does what concerns other threads (VM_REG_DEFERRED). */
#ifndef VM_LATE_H
#define VM_LATE_H

#include "vm/machine.h"

/* Does the running thread have a deferred join, so that it must not yet do what concerns other
 * threads? */
static inline bool vm_has_deferred(const struct vm *vm)
{
    return vm->s.reg[VM_REG_DEFERRED] &&
           !(vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_DEFERRED));
}

/* Asserts that the running thread is not late: before it does what others can notice,
 * vm_meet_others is called. */
static inline void vm_assert_not_late(const struct vm *vm)
{
    assert(!vm_has_deferred(vm));
}

/* Can other threads reach the object?  It is shared, a variable of the libraries, or the
 * kernel's. */
static inline bool vm_is_observable(const struct vm_obj *o)
{
    return o->flags & (VM_SHARED | VM_LOGGED) || o->kind & VM_OBJ_HIDDEN;
}

/* Calls the guest's function of VM_REG_DEFERRED; then the running instruction begins again. */
enum vm_step vm_call_deferred(struct vm *vm);

/* The running thread comes to an object, or (NULL) to something else that it has in common with
 * other threads.  NEXT if it may; else vm_call_deferred, since it has to wait first. */
static inline enum vm_step vm_meet_others(struct vm *vm, const struct vm_obj *o)
{
    return vm_has_deferred(vm) && (!o || vm_is_observable(o)) ? vm_call_deferred(vm)
                                                              : VM_STEP_NEXT;
}

/* Drops the assumption that no transition ends with an action that a deferred join should have
 * come before, if the running thread has such a join. */
void vm_late_matters(struct vm *vm);

#endif
