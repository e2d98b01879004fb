/* pages.h - large global variables, of which a transition writes little.
 *
 * A machine has such an object as a whole (VM_PAGED) and writes it in place.  States have its
 * pages instead: objects in a table that no pointer leads to, which are logged, kept and
 * summed like others.  When a page is written in the open part of the log, the log gets the
 * page as it was, and the table has none until it is made from the object again: when the part
 * is closed, or a fingerprint is computed.  A rollback copies the pages' contents into the
 * object. The object itself is in no log and in no state.
 *
 * Ownership: the heap's.  Errors: if memory is exhausted, as vm_alloc says. */
#ifndef VM_PAGES_H
#define VM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;
struct vm_program;

enum {
    VM_PAGE = 512,          /* bytes */
    VM_PAGED_FROM = 4096,   /* bytes of the smallest object that has pages */
    VM_PAGE_WAYS = 4,       /* recent pages that a new one is compared with */
    VM_PAGED_TOUCHES = 128, /* pages written in one part of the log from which on all count */
};

struct vm_paged {
    struct vm_obj *o; /* link: its first page */
    uint32_t global;  /* its index */
    uint32_t npages, touches;
};

uint32_t vm_pages_of(const struct vm_obj *o);
/* Is a global variable large enough for pages?  (Programs that fork have none: globals change
 * places.) */
bool vm_pages_suit(const struct vm_obj *init);
/* Gives an object pages, which all count as written in the open part. */
void vm_pages_add(struct vm_heap *h, uint32_t global, struct vm_obj *o);
void vm_pages_fini(struct vm_heap *h);
/* n bytes at an offset are about to be written.  After many pages, or if all are written at
 * once, o is VM_OWNED until the part ends. */
void vm_pages_touch(struct vm_heap *h, struct vm_obj *o, uint32_t off, uint64_t n);
/* Makes the pages that were written in the open part. */
void vm_pages_make(struct vm_heap *h);
/* Clears VM_OWNED of all objects with pages. */
void vm_pages_disown(struct vm_heap *h);
/* Copies a page back into its object. */
void vm_pages_load(struct vm_heap *h, const struct vm_obj *page);
/* Puts the objects into the table of globals, which a restored state leaves empty there. */
void vm_pages_place(struct vm_heap *h);
void vm_pages_valid(const struct vm_heap *h);

#endif
