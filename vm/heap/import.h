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

/* What was imported last, and what the heap has of its own in place of that. */
struct vm_import {
    struct vm_returned *kept; /* NULL: nothing yet, then the rest is NULL, too */
    struct vm_base *own_base;
    struct vm_base *present; /* that the heap had then */
    struct vm_change *at;    /* where the base snapshots differ: what is in the other's */
    size_t n;
    struct vm_id_list *frontier;
    struct vm_stable_ids *stable_ids;
    struct vm_obj **objects;  /* copies, by what they are */
    struct vm_mailbox *given; /* what others give back */
};

void vm_import_init(struct vm_import *import);
/* In place of a state that the heap has not made the same one, of what is its own.  What was
 * read from bytes is nobody's, and is whose thread reads it. */
void vm_root_import(struct vm_heap *h, struct vm_root *root);
/* What it keeps of another heap goes back there. */
void vm_import_give_back(struct vm_heap *h);
/* What others have given back is released. */
void vm_import_collect(struct vm_heap *h);
/* While no other thread has to do with what the heap has made. */
void vm_import_fini(struct vm_heap *h);

#endif
