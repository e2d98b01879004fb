/* adopt.h - states that another heap has made.
 *
 * What a heap has made belongs to its thread, which alone counts references of it (refs.h).  A
 * heap that goes on from another's state takes what is its own in place of all that the state
 * has: its trunk, if the state does not differ much from that, or a copy of the other one;
 * objects that are alike, from the trunk or adopted before, or copies.  So its states have much
 * in common, too, and threads do not write to the same places.
 *
 * The state itself is kept, since the next one to be adopted mostly has in common with it what
 * need not be compared then; afterwards it goes back to the heap that made it.
 *
 * Threads: a heap looks at what a state of another has while that one goes on; that is
 * immutable as long as the state is there (but see vm_obj_twin).  Only the list of what is
 * given back is written by both. */
#ifndef VM_ADOPT_H
#define VM_ADOPT_H

#include <stddef.h>

struct vm_change;
struct vm_heap;
struct vm_ids;
struct vm_mailbox;
struct vm_numbers;
struct vm_obj;
struct vm_returned;
struct vm_root;
struct vm_trunk;

/* What was adopted last, and what the heap has of its own in place of that. */
struct vm_adopted {
    struct vm_returned *kept; /* NULL: nothing yet, then the rest is NULL, too */
    struct vm_trunk *own_trunk;
    struct vm_trunk *present; /* that the heap had then */
    struct vm_change *at;     /* where the trunks differ: what is in the other's */
    size_t n;
    struct vm_ids *border;
    struct vm_numbers *numbers;
    struct vm_obj **objects;  /* copies, by what they are */
    struct vm_mailbox *given; /* what others give back */
};

void vm_adopted_init(struct vm_adopted *adopted);
/* In place of a state that the heap has not made the same one, of what is its own.  What was
 * read from bytes is nobody's, and is whose thread reads it. */
void vm_root_adopt(struct vm_heap *h, struct vm_root *root);
/* What it keeps of another heap goes back there. */
void vm_adopted_give_back(struct vm_heap *h);
/* What others have given back is released. */
void vm_adopted_collect(struct vm_heap *h);
/* While no other thread has to do with what the heap has made. */
void vm_adopted_fini(struct vm_heap *h);

#endif
