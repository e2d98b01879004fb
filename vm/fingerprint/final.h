/* final.h - making a state of the end of a transition; predicted fingerprints. */
#ifndef VM_FINAL_H
#define VM_FINAL_H

#include "vm/machine.h"

/* The first half of vm_finish, which makes the contents of the state final: dead registers are
 * cleared, new objects get their ids, and the sum is brought up to date.  (The second half
 * visits the objects that are not stable; a transition that is only to be cached does not need
 * it.) Does nothing if that was done and nothing has changed. */
void vm_make_final(struct vm *vm);

/* vm_hash of a memory of which only these parts are known; false if more would have to be
 * known.  symmetry: NULL if no threads are to be renamed. */
bool vm_hash_predicted(const struct vm_inchash *s, const struct vm_symmetry *symmetry,
                       uint64_t footprint, uint64_t leak_sum, uint64_t hash[2]);

/* Does the state have threads that can be taken for each other?  What threads know of each
 * other's accesses (order.h) is not compared up to the threads' numbers. */
static inline bool vm_has_symmetric_threads(const struct vm *vm, uint64_t footprint)
{
    const struct vm_stable_ids *ids = vm->heap.inchash.stable_ids;
    return ids && ids->symmetric && !(vm->race.order && footprint);
}

#endif
