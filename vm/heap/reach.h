/* reach.h - which objects of the heap can be reached: from global variables, and from a root.
 *
 * Of the memory as it stands, also within a transition; nothing is hashed.  A pointer is an
 * edge if it is whole and aligned (object.h).  Belongs to one heap. */
#ifndef VM_REACH_H
#define VM_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;

struct vm_reach {
    uint64_t *met[2]; /* heap objects and frames, by index: walk << 32 | its number in that */
    size_t capacity[2];
    uint32_t walk;
    uint64_t *queue; /* pointers to what was met, breadth first: number n is queue[n - 1] */
    size_t nqueue, nfollowed, queue_capacity;
};

/* A new walk: what global variables lead to is met. */
void vm_reach_begin(struct vm_heap *h);
/* So is this object, if the pointer has one; and what an object leads to. */
void vm_reach_meet(struct vm_heap *h, uint64_t p);
void vm_reach_from(struct vm_heap *h, const struct vm_obj *o);
/* And all that objects lead to that were met, but for those that lead nowhere (or NULL). */
void vm_reach_follow(struct vm_heap *h, bool (*leads_nowhere)(uint64_t p));
/* The number of an object in the last walk; 0: it was not met. */
uint32_t vm_reach_number(const struct vm_heap *h, uint64_t p);
/* All this at once: what globals and a root lead to. */
void vm_reach_mark(struct vm_heap *h, uint64_t root);
/* The first allocation of the program's behind `after` that is not reached, or 0.  after: the
 * one that was found before, or 0. */
uint64_t vm_next_leak(struct vm_heap *h, uint64_t root, uint64_t after);
void vm_reach_fini(struct vm_reach *reach);

#endif
