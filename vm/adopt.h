/* adopt.h - states that another heap has made.
 *
 * The states of a search have most of their objects in common, and each is a reference of all
 * that it has.  Threads that count in one place are in each other's way; so a heap that goes on
 * from another's state takes copies of what many refer to, and its own states have these. */
#ifndef VM_ADOPT_H
#define VM_ADOPT_H

struct vm_heap;
struct vm_ids;
struct vm_numbers;
struct vm_obj;
struct vm_root;
struct vm_trunk;

/* What was adopted last, and the heap's own copies; NULL: nothing.  It has references of both,
 * so that neither is something else meanwhile. */
struct vm_adopted {
    struct vm_trunk *trunk, *own_trunk;
    struct vm_ids *border, *own_border;
    struct vm_numbers *numbers, *own_numbers;
    struct vm_obj *(*objects)[2]; /* by address */
};

/* The same state with references of its own, in place of another heap's with copies.  What
 * `old` has of it may be taken from there. */
struct vm_root vm_root_adopt(struct vm_heap *h, const struct vm_root *root,
                             struct vm_root *old);
void vm_adopted_fini(struct vm_adopted *adopted);

#endif
