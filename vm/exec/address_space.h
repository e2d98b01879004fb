/* address_space.h - the memories of processes (VM_REG_FORK, VM_REG_ADDRESS_SPACE). */
#ifndef VM_ADDRESS_SPACE_H
#define VM_ADDRESS_SPACE_H

#include "vm/machine.h"

enum vm_step vm_fork(struct vm *vm, const struct vm_insn *i, uint64_t list);
bool vm_address_space_enter(struct vm *vm, uint64_t space);
void vm_address_space_drop(struct vm *vm, uint64_t list);
/* Returns the place of p while no process is entered, which tells the globals of processes
 * apart. */
uint64_t vm_address_space_place(const struct vm *vm, uint64_t p);

#endif
