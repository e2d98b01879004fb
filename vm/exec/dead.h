/* dead.h - registers that are not used any more, at the end of a transition. */
#ifndef VM_DEAD_H
#define VM_DEAD_H

struct vm;

/* Clears the registers that no instruction reads any more, in all frames that have run. */
void vm_clear_dead(struct vm *vm);

#endif
