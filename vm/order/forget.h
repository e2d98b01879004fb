/* forget.h - what is forgotten at the end of a transition. */
#ifndef VM_FORGET_H
#define VM_FORGET_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

/* What every thread knows, and what is about objects and threads that are gone. */
/* Is there such a thread? */
bool vm_order_is_thread(const struct vm *vm, uint64_t object);
void vm_order_forget_known(struct vm *vm);

#endif
