/* names.h - names of objects that do not depend on the order in which threads run.
 *
 * The index of an object says how many objects were made before it, by any thread.  Its name
 * says which thread published it (made it reachable for others), and how many objects that
 * thread had published before.  So the name is the same in all executions that differ only in
 * the order of independent events.  Globals have no names, nor have objects that only one
 * thread can reach.  A named pointer has the region VM_ID_NAMED, and its offset.
 *
 * Ownership: a namer belongs to one heap; struct vm_names outlives the machines that use it. */
#ifndef VM_NAMES_H
#define VM_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "pointer.h"

enum { VM_ID_NAMED = 7 };

struct vm_names; /* vm.h: the names themselves, for several machines in turn */

struct vm_maker {
    uint64_t thread; /* its named pointer */
    uint32_t made;
};

/* The names of the objects of one heap. */
struct vm_namer {
    struct vm_names *names;
    const uint64_t *thread; /* pointer to the running thread's record, not named; 0: none */
    uint32_t *of;           /* name of each index of VM_ID_HEAP, 0: none */
    uint32_t max_of;
    struct vm_maker *makers;
    size_t nmakers, max_makers;
    uint32_t *given; /* indexes of all named objects, in the order in which they were named */
    size_t ngiven, max_given;
};

void vm_namer_fini(struct vm_namer *namer);
/* Notes that a new object has this index, and no name yet. */
void vm_namer_forget(struct vm_namer *namer, uint32_t index);
/* Names an object that the running thread has just published. */
void vm_namer_give(struct vm_namer *namer, uint32_t index);
/* Takes back all names but the first n of namer->given. */
void vm_namer_undo(struct vm_namer *namer, size_t n);
/* Returns the named pointer for p, or p itself if its object has no name. */
static inline uint64_t vm_namer_call(const struct vm_namer *namer, uint64_t p)
{
    uint32_t index = vm_ptr_index(p);
    if (vm_ptr_region(p) != VM_ID_HEAP || index >= namer->max_of || !namer->of[index])
        return p;
    return vm_ptr(VM_ID_NAMED, namer->of[index], (uint32_t)p);
}

#endif
