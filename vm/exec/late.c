/* late.c - deferred joins: the running thread has joined others, and goes on before they have
 * ended.
 *
 * What the thread does by itself is the same before and after the others' ends. Before it does
 * anything else, it waits for them (VM_REG_DEFERRED). Three places ask for that: the slow path
 * of all accesses (vm_check_part, to which the interpreter leaves all objects that other
 * threads can reach), the setting of VM_FLAG_KERNEL, and the place where a thread stops. So
 * kernel calls and single instructions need not ask. Code that tells other threads of an access
 * asserts that the question was asked (vm_assert_not_late). If a transition ends while the
 * thread is still late, by a fault or in a kernel call that goes on late, the search does not
 * count. */
#include "vm/exec/late.h"
#include "vm/exec/call.h"
#include "vm/machine.h"

enum vm_step vm_call_deferred(struct vm *vm)
{
    vm->s.frame = vm_frame_make(vm, vm_ptr_index(vm->s.reg[VM_REG_DEFERRED]), vm->s.frame);
    vm->s.reg[VM_REG_DEFERRED] = 0;
    vm->s.reg[VM_REG_FLAGS] |= VM_FLAG_KERNEL;
    return VM_STEP_RELOAD;
}

void vm_late_matters(struct vm *vm)
{
    if (!vm->s.reg[VM_REG_DEFERRED])
        return;
    vm_break(vm, VM_ASSUMES_JOINS);
    vm->s.reg[VM_REG_DEFERRED] = 0;
}
