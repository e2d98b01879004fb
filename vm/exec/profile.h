/* profile.h - how often each instruction is executed, and each kind of fault found. */
#ifndef VM_PROFILE_H
#define VM_PROFILE_H

#include "vm/machine.h"

void vm_profile_open(struct vm *vm);
void vm_profile_close(struct vm *vm);
void vm_profile_count(struct vm *vm, const struct vm_insn *i);
void vm_profile_fault(struct vm *vm, enum vm_fault_kind kind);

#endif
