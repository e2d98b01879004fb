/* thread_refs.h - which pre-concurrent objects lead to threads.
 *
 * When threads become symmetric, the terms of all objects change that name them (inchash.h).  A
 * heap may have very many pre-concurrent objects, and few of them do: so it keeps a list of
 * these, of one base snapshot, and for another one it looks at what differs.  Belongs to one
 * heap. */
#ifndef VM_THREAD_REFS_H
#define VM_THREAD_REFS_H

#include <stdint.h>

struct vm_heap;
struct vm_base;

struct vm_thread_refs {
    struct vm_base *base;   /* a reference; NULL: nothing is known */
    uint64_t preconcurrent; /* old are the objects of these ids (struct vm_stable_ids) */
    uint64_t *bits;         /* by index: leads to something that is neither old nor a global */
    uint32_t nwords;
};

/* Of the origin's base snapshot, by the ids that the heap's objects have now. */
void vm_thread_refs_update(struct vm_heap *h);
void vm_thread_refs_fini(struct vm_thread_refs *thread_refs);

#endif
