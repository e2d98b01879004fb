/* refs.h - counts of references, of what several threads may have.
 *
 * As long as there is one thread that has machines and states (vm_set_threads), nobody else
 * counts at the same time, and an atomic operation would cost much for nothing. */
#ifndef VM_REFS_H
#define VM_REFS_H

#include <stdatomic.h>
#include <stdbool.h>

extern bool vm_one_thread;

static inline void vm_ref_take(atomic_uint *refs)
{
    if (vm_one_thread)
        atomic_store_explicit(refs, atomic_load_explicit(refs, memory_order_relaxed) + 1,
                              memory_order_relaxed);
    else
        atomic_fetch_add_explicit(refs, 1, memory_order_relaxed);
}

/* True if it was the last one: whoever drops it sees all that others did with the thing. */
static inline bool vm_ref_drop(atomic_uint *refs)
{
    unsigned n = atomic_load_explicit(refs, memory_order_acquire);
    if (n == 1)
        return true;
    if (!vm_one_thread)
        return atomic_fetch_sub_explicit(refs, 1, memory_order_acq_rel) == 1;
    atomic_store_explicit(refs, n - 1, memory_order_relaxed);
    return false;
}

#endif
