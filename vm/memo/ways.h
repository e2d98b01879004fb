/* ways.h - a tree of looks (veil.h): at a node stands what is looked at next, and its children
 * are told apart by what is seen there.  At a leaf is what its owner has put there.
 *
 * It is kept as a table of nodes, by the hash of the way to each: of what was seen before.
 * A tree belongs to one machine; all zero is an empty one. */
#ifndef VM_WAYS_H
#define VM_WAYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/machine.h"

struct vm_way {
    uint64_t way;
    uintptr_t what; /* 0: empty; odd: what is looked at; or a leaf */
};

struct vm_ways {
    struct vm_way *nodes;
    size_t n, capacity;
};

/* The way that goes on with what was seen. */
static inline uint64_t vm_way_on(uint64_t way, uint64_t label)
{
    return vm_fold(way + label);
}

/* One step of the way to it: false if it has come there. */
bool vm_ways_step(const struct vm_ways *ways, const struct vm_heap *h, uint64_t *way,
                  uintptr_t *leaf);
/* Of the next step. */
void vm_ways_prefetch(const struct vm_ways *ways, uint64_t way);
/* The leaf to which the heap leads from there; 0 if it leads to none yet. */
uintptr_t vm_ways_find(const struct vm_ways *ways, const struct vm_heap *h, uint64_t way);
/* A leaf, an even number, or a look comes to the end of a way; false if something else is
 * there. */
bool vm_ways_put_leaf(struct vm_ways *ways, uint64_t way, uintptr_t leaf);
bool vm_ways_put_look(struct vm_ways *ways, uint64_t way, const struct vm_look *look);
size_t vm_ways_bytes(const struct vm_ways *ways);
void vm_ways_clear(struct vm_ways *ways);

#endif
