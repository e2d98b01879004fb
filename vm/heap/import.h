/* import.h - states that another heap has made.
 *
 * What a heap has made belongs to its thread, which alone counts references of it (refs.h).  A
 * heap that goes on from another's state takes what is its own in place of all that the state
 * has: its base snapshot, if the state does not differ much from that, or a copy of the other
 * one; objects that are alike, from the base snapshot or imported before, or copies.  So its
 * states have much in common, too, and threads do not write to the same places.
 *
 * The state itself is kept, since the next one to be imported mostly has in common with it what
 * need not be compared then; afterwards it goes back to the heap that made it.
 *
 * Threads: a heap looks at what a state of another has while that one goes on; that is
 * immutable as long as the state is there (but see vm_obj_clone).  Only the list of what is
 * given back is written by both. */
#ifndef VM_IMPORT_H
#define VM_IMPORT_H

#include <stddef.h>

struct vm_change;
struct vm_heap;
struct vm_id_list;
struct vm_mailbox;
struct vm_stable_ids;
struct vm_obj;
struct vm_returned;
struct vm_root;
struct vm_base;

/* The state that was imported last, and what of its own the heap uses in its place. */
struct vm_import {
    struct vm_returned *kept; /* that state; NULL: none yet, and so are the next fields */
    struct vm_base *own_base;
    struct vm_base *present; /* the heap's base snapshot at that time */
    struct vm_change *at;    /* where the two bases differ: the other's objects */
    size_t n;
    struct vm_id_list *frontier;
    struct vm_stable_ids *stable_ids;
    struct vm_obj **objects;  /* copies of other heaps' objects, by key */
    struct vm_mailbox *given; /* this heap's states that others have given back; atomic */
};

void vm_import_init(struct vm_import *import);
/* Replaces a state that another heap has made by an equal one of the heap's own parts.  A state
 * that was read from bytes has no owner, and belongs to the thread that reads it. */
void vm_root_import(struct vm_heap *h, struct vm_root *root);
/* Gives the state that was imported last back to its heap. */
void vm_import_give_back(struct vm_heap *h);
/* Releases the states that others have given back. */
void vm_import_collect(struct vm_heap *h);
/* Frees all; no other thread may use anything that the heap has made. */
void vm_import_fini(struct vm_heap *h);

#endif
