/* namers.h - which old objects lead to threads.
 *
 * When threads become twins, the terms of all objects change that name them (settled.h).  A
 * heap may have very many old objects, and few of them do: so it keeps a list of these, of one
 * trunk, and for another one it looks at what differs.  Belongs to one heap. */
#ifndef VM_NAMERS_H
#define VM_NAMERS_H

#include <stdint.h>

struct vm_heap;
struct vm_trunk;

struct vm_namers {
    struct vm_trunk *trunk; /* a reference; NULL: nothing is known */
    uint64_t old;           /* old are the objects of these ids (struct vm_numbers) */
    uint64_t *bits;         /* by index: leads to something that is neither old nor a global */
    uint32_t nwords;
};

/* Of the base's trunk, by the ids that the heap's objects have now. */
void vm_namers_update(struct vm_heap *h);
void vm_namers_fini(struct vm_namers *namers);

#endif
