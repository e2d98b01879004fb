/* stores.h - the stores of an atomic place that may still be read, in modification order. */
#ifndef VM_STORES_H
#define VM_STORES_H

#include "order.h"
#include "relation.h"

/* The stores of a place, as items in modification order: o->list, o->nlist; none if all threads
 * have seen its value and it passes nothing on. */
void vm_stores_list(struct vm_order *o, uint64_t p, uint32_t size);
/* Lists the stores as vm_stores_list does; if there is none, the present value becomes one. */
void vm_stores_ensure(struct vm_order *o, uint64_t p, uint32_t size);
/* The rank of the last store of the list that the holder has seen. */
uint32_t vm_stores_seen(const struct vm_order *o, uint32_t holder);
/* Calls visit for each place that has stores, with the stores as the list. */
void vm_stores_each_place(struct vm *vm, void (*visit)(struct vm *vm, size_t event),
                          size_t event);
/* Drops stores of which all threads have seen a later one; known says whether they know of an
 * item. */
void vm_stores_forget(struct vm *vm, bool (*known)(struct vm *vm, size_t item));

#endif
