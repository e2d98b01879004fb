/* cover.h - marks what is executed, in a program that was loaded with coverage. */
#ifndef VM_COVER_H
#define VM_COVER_H

#include "vm/machine.h"

/* Executes COVER, COVER_BR or COVER_SWITCH. */
void vm_cover(struct vm *vm, const struct vm_insn *i, const struct vm_obj *frame);

#endif
