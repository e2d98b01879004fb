/* mode.h - in which mode the running thread is, as the flags of the guest (VM_REG_FLAGS) say,
 * and what follows from it. */
#ifndef VM_MODE_H
#define VM_MODE_H

#include "vm/machine.h"

/* Can the transition not be interrupted, since the kernel runs or no other thread is left? */
static inline bool vm_masked(const struct vm *vm)
{
    return vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_ALONE);
}

/* Does the program's own code run in an atomic section, while another thread is left? */
static inline bool vm_in_section(const struct vm *vm)
{
    return vm->s.reg[VM_REG_FLAGS] & VM_FLAG_SECTION &&
           (vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_ALONE)) == VM_FLAG_KERNEL;
}

/* Are accesses of the program compared with those that have happened before them (order.h),
 * even if no other thread is left? */
static inline bool vm_knows_orders(const struct vm *vm)
{
    return vm->race.order && !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL);
}

/* Can an access of the running thread race with those of other threads? */
static inline bool vm_can_race(const struct vm *vm)
{
    return !vm_masked(vm) || vm_in_section(vm) || vm_knows_orders(vm);
}

/* Does the kernel's own code run, rather than an atomic section of the program? */
static inline bool vm_in_kernel(const struct vm *vm)
{
    return (vm->s.reg[VM_REG_FLAGS] & (VM_FLAG_KERNEL | VM_FLAG_SECTION)) == VM_FLAG_KERNEL;
}

/* May the running code access objects of VM_OBJ_HIDDEN kinds?  kernel: the code belongs to one
 * of the kernel's functions.  What the kernel calls may access them, too; the program's code in
 * an atomic section may not. */
static inline bool vm_may_touch_hidden(const struct vm *vm, bool kernel)
{
    uint64_t flags = vm->s.reg[VM_REG_FLAGS];
    bool called =
        flags & VM_FLAG_KERNEL && (!(flags & VM_FLAG_SECTION) || flags & VM_FLAG_COMMUTES);
    return called || kernel;
}

#endif
