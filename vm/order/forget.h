/* forget.h - forgets, at the end of a transition, accesses and stores that cannot matter any
 * more. */
#ifndef VM_FORGET_H
#define VM_FORGET_H

#include <stdbool.h>
#include <stdint.h>

struct vm;

/* Is there a thread with this record? */
bool vm_order_is_thread(const struct vm *vm, uint64_t object);
/* Drops the accesses and stores that every thread knows of, and those of objects and threads
 * that are gone. */
void vm_order_forget_known(struct vm *vm);

#endif
