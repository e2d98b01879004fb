/* adopt.h - states that another heap has made.
 *
 * The states of a search have most of their objects in common, and each is a reference of all
 * that it has.  Threads that count in one place are in each other's way, and states that have
 * little in common are long.  So a heap that goes on from another's state replaces what the
 * state has by its own: its trunk, if the state does not differ much from that, objects that
 * are alike, from the trunk or adopted before, or copies.  Shared are objects that are large or
 * have no hash, and all of states without sums. */
#ifndef VM_ADOPT_H
#define VM_ADOPT_H

#include <stddef.h>

struct vm_change;
struct vm_heap;
struct vm_ids;
struct vm_numbers;
struct vm_obj;
struct vm_root;
struct vm_trunk;

/* What was adopted, and the heap's own; NULL: nothing yet.  It has references of the trunks, so
 * that none is something else meanwhile. */
struct vm_adopted {
    struct vm_trunk *trunk, *own_trunk;
    struct vm_trunk *present; /* that the heap had then */
    struct vm_change *at;     /* where they differ: what is in the other's */
    size_t n;
    struct vm_ids *border;
    struct vm_numbers *numbers;
    struct vm_obj **objects; /* by what they are */
};

/* In place of another heap's state the same one, of what is this heap's own. */
void vm_root_adopt(struct vm_heap *h, struct vm_root *root);
void vm_adopted_fini(struct vm_adopted *adopted);

#endif
