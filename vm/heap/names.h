/* names.h - names of objects that don't depend on the order in which threads run.
 *
 * The index of an object tells how many were made before it, by whatever thread.  Its
 * name tells which thread made it known to others, and as the how manieth of its own
 * such objects: in all executions that differ only in the order of independent events
 * it is the same.  Objects that one thread alone can reach have none, nor have
 * globals.  A named pointer has the region VM_ID_NAMED, and the offset it had. */
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

/* Which name each object of one heap has. */
struct vm_namer {
    struct vm_names *names;
    const uint64_t *thread; /* that runs: not named; 0: none */
    uint32_t *of;           /* of each index of VM_ID_HEAP, 0: none */
    uint32_t max_of;
    struct vm_maker *makers;
    size_t nmakers, max_makers;
    uint32_t *given; /* the makers of all that have been named, in order */
    size_t ngiven, max_given;
};

void vm_namer_fini(struct vm_namer *namer);
/* A new object has this index: it has no name yet. */
void vm_namer_forget(struct vm_namer *namer, uint32_t index);
/* The present thread has made it known. */
void vm_namer_give(struct vm_namer *namer, uint32_t index);
/* Take back all but the first n of namer->given. */
void vm_namer_undo(struct vm_namer *namer, size_t n);
static inline uint64_t vm_namer_call(const struct vm_namer *namer, uint64_t p)
{
    uint32_t index = vm_ptr_index(p);
    if (vm_ptr_region(p) != VM_ID_HEAP || index >= namer->max_of || !namer->of[index])
        return p;
    return vm_ptr(VM_ID_NAMED, namer->of[index], (uint32_t)p);
}

#endif
