/* settled.h - the objects that a state's fingerprint takes as a sum.
 *
 * Globals are settled, and, where there are many, the heap objects that were there when
 * the second thread began.  A settled object has an id for good: a global its index, a heap
 * object the number that it had in the canonical form when it was settled.  So each
 * contributes a term of its own, whatever the others are, and the sum of the terms changes
 * with the few objects that a transition writes (as in Musuvathi & Dill, "An incremental
 * heap canonicalization algorithm", 2005; there all objects keep ids).  An object that
 * points to one that is not settled has no term: it is in the border, which is visited
 * for each fingerprint.
 *
 * Ownership: a struct vm_settled owns a reference of both lists; lists are immutable. */
#ifndef VM_SETTLED_H
#define VM_SETTLED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;

struct vm_ids {
    atomic_uint refs;
    uint32_t n;
    uint64_t hash; /* of the list */
    uint32_t at[];
};

struct vm_settled {
    uint64_t sum[2];
    uint64_t leak_sum;      /* of settled heap objects (vm_leak_term) */
    struct vm_ids *border;  /* upper halves of pointers, sorted by id; NULL: none */
    struct vm_ids *numbers; /* id of each heap index, 0: not settled; NULL: none is */
    uint32_t nraw;          /* objects with a pointer that is not whole and aligned */
};

struct vm_ids *vm_ids_new(uint32_t n);
void vm_settled_retain(const struct vm_settled *s);
void vm_settled_release(struct vm_settled *s);
/* The value of `from`, with references of its own. */
void vm_settled_set(struct vm_settled *s, const struct vm_settled *from);

/* The id of the object of a pointer, live or not; 0 if it is not settled.  Here and in the
 * border pages have pointers, too: of the region VM_PAGES. */
uint64_t vm_settled_id(const struct vm_settled *s, uint64_t p);

/* Brings the heap's sum up to date.  Whoever calls it closes the open part of the log
 * before anything is written again. */
void vm_settled_update(struct vm_heap *h);
/* Heap objects are settled from now on: takes the reference of numbers. */
void vm_settled_extend(struct vm_heap *h, struct vm_ids *numbers);
/* The sum of s, which is up to date, is that of the tables. */
void vm_settled_valid(const struct vm_heap *h, const struct vm_settled *s);

#endif
