/* thread_refs.h - which pre-concurrent objects point to objects of threads.
 *
 * When threads become symmetric, the terms of all objects change that point to theirs
 * (inchash.h).  A heap may have very many pre-concurrent objects, and few of them do: so it
 * keeps a list of these for one base snapshot, and for another one looks only at the objects
 * that differ.  Belongs to one heap. */
#ifndef VM_THREAD_REFS_H
#define VM_THREAD_REFS_H

#include <stdint.h>

struct vm_heap;
struct vm_base;

struct vm_thread_refs {
    struct vm_base *base;   /* a reference; NULL: nothing is known */
    uint64_t preconcurrent; /* a hash of the ids by which objects are pre-concurrent */
    uint64_t
        *bits; /* by index: points to something that is neither pre-concurrent nor a global */
    uint32_t nwords;
};

/* Brings the list up to the base snapshot of the heap's origin, by the ids that objects have
 * now. */
void vm_thread_refs_update(struct vm_heap *h);
void vm_thread_refs_fini(struct vm_thread_refs *thread_refs);

#endif
