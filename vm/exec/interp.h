/* interp.h - the interpreter. */
#ifndef VM_INTERP_H
#define VM_INTERP_H

#include "vm/machine.h"

/* Executes instructions until the machine stops (vm_run). */
enum vm_stop vm_interpret(struct vm *vm);

#endif
