/* pages.h - large global variables, of which a transition writes little.
 *
 * A machine has such an object as a whole (VM_PAGED) and writes it in place; states have its
 * pages, objects of their own in a table that no pointer leads to, which are logged, kept
 * and summed like others.  A page that is written in the open part of the log is in the log
 * as it was, and not in the table until it is made from the object again: when the part is
 * closed, or a fingerprint computed.  Going back puts the contents of pages into the object.
 * The object is not in the log and in no state. */
#ifndef VM_PAGES_H
#define VM_PAGES_H

#include <stdbool.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;
struct vm_program;

enum {
    VM_PAGE = 512,          /* bytes */
    VM_PAGED_FROM = 4096,   /* smaller objects are not worth it */
    VM_PAGE_WAYS = 4,       /* so many that were made lately are looked at for one like it */
    VM_PAGED_TOUCHES = 128, /* so many in one part of the log: the rest is touched, too */
};

struct vm_paged {
    struct vm_obj *o; /* link: its first page */
    uint32_t global;  /* its index */
    uint32_t npages, touches;
};

uint32_t vm_pages_of(const struct vm_obj *o);
/* Is a global variable one?  With processes, globals change places. */
bool vm_pages_suit(const struct vm_obj *init);
/* All its pages are as if just written. */
void vm_pages_add(struct vm_heap *h, uint32_t global, struct vm_obj *o);
void vm_pages_fini(struct vm_heap *h);
/* n bytes at an offset are about to be written.  After many touches, or one of all, o is
 * VM_OWNED until the part ends. */
void vm_pages_touch(struct vm_heap *h, struct vm_obj *o, uint32_t off, uint64_t n);
/* The pages written in the open part. */
void vm_pages_make(struct vm_heap *h);
/* No object is VM_OWNED any more. */
void vm_pages_disown(struct vm_heap *h);
/* A page is put back. */
void vm_pages_load(struct vm_heap *h, const struct vm_obj *page);
/* The objects stand in their table (which a state knows nothing of). */
void vm_pages_place(struct vm_heap *h);
void vm_pages_valid(const struct vm_heap *h);

#endif
