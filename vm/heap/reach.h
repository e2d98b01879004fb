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
    uint64_t *met[2]; /* heap objects and frames, by index: walk << 32 | number in that walk */
    size_t capacity[2];
    uint32_t walk;   /* number of the present walk */
    uint64_t *queue; /* pointers to the objects met, breadth first: number n is queue[n - 1] */
    size_t nqueue, nfollowed, queue_capacity;
};

/* Begins a walk, and meets what global variables point to. */
void vm_reach_begin(struct vm_heap *h);
/* Meets the object of a pointer, if there is one; and what an object points to. */
void vm_reach_meet(struct vm_heap *h, uint64_t p);
void vm_reach_from(struct vm_heap *h, const struct vm_obj *o);
/* Meets everything that can be reached from objects that were met, except through those for
 * which leads_nowhere (or NULL) is true. */
void vm_reach_follow(struct vm_heap *h, bool (*leads_nowhere)(uint64_t p));
/* Returns the number of an object in the present walk; 0 if it was not met. */
uint32_t vm_reach_number(const struct vm_heap *h, uint64_t p);
/* Does a whole walk, from globals and a root. */
void vm_reach_mark(struct vm_heap *h, uint64_t root);
/* Returns a pointer to the next leaked allocation of the program behind `after` (the one found
 * before, or 0); 0 if there is none. */
uint64_t vm_next_leak(struct vm_heap *h, uint64_t root, uint64_t after);
void vm_reach_fini(struct vm_reach *reach);

#endif
