/* observe.h - stops for queries (struct vm_queries), and asking them. */
#ifndef VM_OBSERVE_H
#define VM_OBSERVE_H

#include "vm/machine.h"

/* Does a query read what is written at p? */
bool vm_observes(const struct vm *vm, uint64_t p, const struct vm_obj *o);
/* Are there queries that see what the running code does?  (They see the kernel's code, and
 * atomic sections, as a whole.) */
static inline bool vm_is_queried(const struct vm *vm)
{
    return __builtin_expect(vm->options.queries != NULL, 0) &&
           !(vm->s.reg[VM_REG_FLAGS] & VM_FLAG_KERNEL);
}
/* Does the action VM_ACT_OBSERVE. */
enum vm_step vm_observe(struct vm *vm);
/* Asks the queries when a transition has ended.  If one holds, the transition has ended with an
 * error. */
void vm_ask_queries(struct vm *vm);

#endif
