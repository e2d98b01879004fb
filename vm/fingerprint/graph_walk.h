/* graph_walk.h - a walk through the objects of a memory from its roots: inside fingerprint.c,
 * graph.c and preconcurrent.c.
 *
 * What is met gets numbers in breadth-first order; the form is a vector of words. */
#ifndef VM_GRAPH_WALK_H
#define VM_GRAPH_WALK_H

#include "vm/machine.h"

/* In a graph: the word is a root.  store.h calls it STORE_GRAPH_ROOT. */
#define VM_GRAPH_ROOT ((uint64_t)1 << 31)

struct vm_walk {
    struct vm *vm;
    size_t nqueue, nvisited, nvector;
    uint32_t next;     /* number of the next object */
    uint64_t leak_sum; /* of the heap objects reached */
    uint64_t keys;     /* a hash of what is visited, with what the form leaves out */
    bool raw;          /* ids have to be hashed too */
    bool stable;       /* some objects have ids */
    bool exact;        /* the form is a graph */
    bool strays;       /* then, too: a pointer leads to no index of the table */
    uint64_t flags;    /* of the nodes that are visited */
    const struct vm_renaming *renaming; /* of a graph: NULL, or where symmetric threads stand */
};

void vm_walk_prepare(struct vm_walk *w, struct vm *vm);
/* Has the object a number in this walk? */
bool vm_walk_is_met(const struct vm_walk *w, uint64_t p);
void vm_walk_push(struct vm_walk *w, uint64_t x);
/* Pushes an edge of a graph (exact) that no pointer in an object stands for. */
void vm_walk_edge(struct vm_walk *w, uint64_t p);
void vm_walk_visit(struct vm_walk *w, struct vm_obj *o);
/* Pushes the node of an object, as it stands; vm_graph_visit does the same with symmetric
 * threads renamed. */
void vm_walk_node(struct vm_walk *w, struct vm_obj *o);
void vm_graph_visit(struct vm_walk *w, struct vm_obj *o);
/* Gives ids to threads' objects, and finds which threads are symmetric.  preconcurrent: objects
 * that are older than the second thread get stable ids, too. */
void vm_walk_give_ids(struct vm *vm, bool preconcurrent);
/* vm_walk_apart: visits, for each symmetric thread in a walk of its own, what it leads to and
 * what leads to it (symmetry->seen, asked, reached_apart).  vm_walk_ranked: makes the form of
 * what is visited, in their order (symmetry->rest, named, reached); false if it has pieces of
 * pointers, and ids. */
void vm_walk_apart(struct vm *vm);
bool vm_walk_ranked(struct vm *vm);
/* Is it a frame, in its place, of another than the first thread? */
bool vm_walk_is_later(uint64_t p);
/* Visits the queued objects, and those that they lead to. */
void vm_walk_queue(struct vm_walk *w);

#endif
