/* veil.h - what a transition looks at.
 *
 * While the veil is drawn, the heap's tables seem to be empty: each object appears when it
 * is first asked for (vm_heap_get), and is noted with its contents.  So nothing can be looked
 * at unnoticed, and accesses that come later cost nothing.
 *
 * Of a larger object that threads share, each may use another part: of an array of locks, its
 * own.  Who says which bytes it looks at (vm_heap_part) sees only those, and each time anew.
 *
 * Owned by one heap.  Memory is exhausted: as vm_alloc says. */
#ifndef VM_VEIL_H
#define VM_VEIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vm_heap;
struct vm_obj;

enum {
    VM_LOOKS = 64,
    VM_VEILED = 3,         /* regions: heap, frames, globals */
    VM_VEILED_SIZE = 4096, /* bytes of a new object; so they are few together */
    VM_WHOLE_WORDS = 8     /* smaller objects are looked at as a whole */
};

struct vm_look {
    uint32_t at;        /* the upper half of a pointer, or VM_LOOK_END, _FUTURE */
    uint32_t part;      /* VM_LOOK_ALL, _HEAD, or _WORD + which */
    uint64_t label;     /* vm_look */
    struct vm_obj *was; /* what was there; lives as long as the log has it */
};

/* At no object, but at where the heap's objects end, the index of the next one; or at what
 * other threads can do to a watched variable, whose number is the part (future.h). */
enum { VM_LOOK_END = 0xffffffff, VM_LOOK_FUTURE = 0xfffffffe };
enum { VM_LOOK_ALL, VM_LOOK_HEAD, VM_LOOK_WORD };

static inline bool vm_look_is_object(const struct vm_look *look)
{
    return look->at < VM_LOOK_FUTURE;
}

struct vm_veil {
    bool drawn;
    bool whole;                /* objects are looked at as a whole, whatever their size */
    bool ends_at_list, listed; /* where the list of threads ends it; it has come to the list */
    bool torn; /* something was done that does not depend on what is looked at alone */
    uint32_t n;
    struct vm_look at[VM_LOOKS];                       /* in order, each once */
    struct vm_obj **seen[VM_VEILED], **all[VM_VEILED]; /* the tables as they seem, and are */
    uint32_t capacity[VM_VEILED];                      /* of seen, all NULL when not drawn */
};

/* Tells what a look sees: equal labels, equal contents; 0 if this cannot be told. */
uint64_t vm_look(const struct vm_heap *h, uint32_t at, uint32_t part);

/* ends_at_list: what is noted ends where the threads are listed; else they must not be. */
void vm_veil_draw(struct vm_heap *h, bool ends_at_list);
/* All threads are about to be looked at, which is not noted. */
void vm_veil_list(struct vm_heap *h);
/* The tables are as they are again, with what was changed.  May be called twice. */
void vm_veil_drop(struct vm_heap *h);
/* The same, and what was noted is of no use. */
void vm_veil_tear(struct vm_heap *h);
void vm_veil_free(struct vm_heap *h);
/* The object of p, if it was not seen before: NULL if it was, or if there is none. */
struct vm_obj *vm_veil_lift(struct vm_heap *h, uint64_t p);
/* The same for n bytes at p: but the object does not appear. */
struct vm_obj *vm_veil_lift_part(struct vm_heap *h, uint64_t p, uint64_t n);
/* Where the present object of an index is, seen or not. */
struct vm_obj **vm_veil_place(struct vm_heap *h, unsigned region, uint32_t index);
/* Was the object looked at as a whole? */
bool vm_veil_saw_all(const struct vm_veil *veil, uint32_t at);
/* The end of the heap's objects matters. */
void vm_veil_end(struct vm_heap *h);
/* What others can do to a watched variable matters. */
void vm_veil_future(struct vm_heap *h, uint32_t number);
/* An object of this size is about to be made there. */
void vm_veil_make(struct vm_heap *h, unsigned region, uint32_t index, uint32_t size);

#endif
