/* heap.h - the running heap: tables of objects, an undo log, and states.
 *
 * The heap belongs to one machine.  Its tables hold the present object of each
 * index; the first write to an object that is not OWNED copies it and logs the
 * old one.  A mark closes the log so far (nothing stays OWNED); undo pops it.
 * A root is what a state keeps of the tables: a base snapshot, a persistent radix tree of each,
 * and the objects in which the state differs from that.  Both are immutable, reference-counted,
 * and shared between the states that a machine makes: successors have their state's base
 * snapshot until too much is different, or most states would have the same changes. */
#ifndef VM_HEAP_H
#define VM_HEAP_H

#include "import.h"
#include "inchash.h"
#include "names.h"
#include "object.h"
#include "pages.h"
#include "reach.h"
#include "readset.h"
#include "thread_refs.h"
#include "vm/program.h"

enum { VM_FANOUT_BITS = 3, VM_FANOUT = 1 << VM_FANOUT_BITS, VM_REGIONS = 4, VM_SUSPECTS = 16 };

struct vm_node {
    uint32_t refs;
    void *child[VM_FANOUT]; /* nodes, or objects in the lowest level */
};

/* The tree of one region: objects 0 to VM_FANOUT^levels - 1; those from n on are NULL. */
struct vm_tree {
    struct vm_node *root; /* NULL: all NULL */
    uint32_t levels, n;
};

/* A memory, as trees. */
struct vm_base {
    uint32_t refs;
    const struct vm_heap *owner;     /* the heap to which states with it are given back; NULL:
                                      * none */
    struct vm_tree tree[VM_REGIONS]; /* heap, frames, globals, pages */
};

/* An object that replaces one of the base snapshot.  Each index appears once; changes of the
 * state before come first, in the same order.  Pages do not appear. */
struct vm_change {
    uint32_t region, index;
    struct vm_obj *o; /* NULL: there is none */
};
struct vm_changes {
    uint32_t refs;
    uint32_t n;
    struct vm_change at[];
};

/* The part of a state that is memory. */
struct vm_root {
    struct vm_base *base;
    struct vm_changes *changes; /* NULL: none */
    uint32_t n[VM_REGIONS];     /* objects from there on are NULL */
    uint64_t leak_sum;          /* of all live heap objects */
    uint64_t nheap;             /* how many these are */
    uint64_t nstable;           /* objects that were to have an id, in all */
    uint64_t bytes;             /* live */
    struct vm_inchash inchash;
};

/* A base snapshot that states get instead of another one, since it has more in common with
 * them. */
struct vm_rebase {
    struct vm_base *from, *to;
    struct vm_change *at; /* the changes between the two: the objects of the other */
    size_t n;
    size_t states, changes; /* made since; and how many changes these had in all */
    bool never;             /* no state is to be another base snapshot */
    size_t window;          /* after so many states there may be another */
};

struct vm_table {
    struct vm_obj **obj;
    uint64_t *logged; /* the segment of the log that last logged this index */
    uint64_t *summed; /* the update of the sum that last met this index */
    uint32_t n, capacity;
};

struct vm_undo {
    uint32_t region, index;
    struct vm_obj *old;
};

struct vm_heap {
    const struct vm_program *program;
    struct vm_table table[VM_ID_COUNT]; /* const is the program's; code unused */
    struct vm_table pages;              /* of large globals: pages.h */
    struct vm_paged *paged;
    size_t npaged;
    struct vm_obj *(*lately)[VM_PAGE_WAYS]; /* pages that were made, by their keys */
    struct vm_root origin; /* retained; the log starts from its base snapshot */
    struct vm_import import;
    struct vm_thread_refs thread_refs;
    struct vm_reach reach;
    size_t norigin; /* so many entries of the log are the origin's changes, whose objects the
                     * origin owns */
    struct vm_change *found; /* for a snapshot */
    size_t found_capacity;
    struct vm_rebase rebase;
    uint64_t leak_sum, nheap, nstable, bytes;
    uint32_t frame_hint; /* no block from VM_HOMES on, up to it, is free */
    struct vm_undo *log;
    size_t nlog, log_capacity, log_open; /* entries from log_open on are OWNED */
    uint64_t segment;                    /* number of the open part of the log */
    uint64_t made, copied, bytes_copied, bytes_hashed;
    bool exact;                /* no sums: states are compared as they are */
    struct vm_inchash inchash; /* if summed: of the memory after the first nsummed entries */
    bool summed;
    size_t nsummed;
    uint64_t nsums; /* updates */
    bool sums_all;  /* the sum is computed from all objects each time */
    bool share_all; /* reduction "private" is off: all objects are made shared */
    bool owners;    /* private objects have owners, which alone may access them (owner.c) */
    /* Threads may have reached an object that is not shared: by a pointer that was in pieces in
     * shared memory, or that was computed.  Stays true for good. */
    bool hidden;
    /* Objects of which that is to be found out when the transition ends. */
    uint64_t suspects[VM_SUSPECTS];
    uint32_t nsuspects;
    struct vm_namer namer; /* without names: nothing is logged */
    struct vm_readset readset;
    /* The function that says who may write a tracked variable (VM_READ_MAY_WRITE), and the
     * machine that it asks; or NULL. */
    uint64_t (*tracked)(const struct vm *tracker, uint32_t number);
    const struct vm *tracker;
    /* Called for each object that becomes shared, or NULL. */
    void (*on_share)(struct vm *machine, uint64_t p, uint32_t size);
    struct vm *machine;
};

struct vm_heap_mark {
    size_t nlog, ngiven;
    uint32_t n[VM_REGIONS];
    uint64_t leak_sum, nheap, nstable, bytes;
    uint64_t nsums;
    const struct vm_stable_ids *stable_ids; /* the heap's own */
};

/* Initialises a heap.  whole: no global has pages, so the heap must be where copies of it will
 * be made. */
void vm_heap_init(struct vm_heap *h, const struct vm_program *program, bool share_all,
                  bool whole);
void vm_heap_fini(struct vm_heap *h);
/* Makes the kernel's objects VM_LOGGED from now on, as variables of the libraries always are,
 * and gives names to all objects that are shared. */
void vm_heap_log_accesses(struct vm_heap *h, struct vm_namer namer);
void vm_table_reserve(struct vm_table *t, uint32_t n);
/* Makes room for n changes that are found. */
struct vm_change *vm_found_reserve(struct vm_heap *h, size_t n);
/* Makes room for n more entries of the log. */
void vm_undo_reserve(struct vm_heap *h, size_t n);

/* Returns the table of a region that the log and the trees know. */
static inline struct vm_table *vm_table_of(struct vm_heap *h, unsigned region)
{
    return region == VM_PAGES ? &h->pages : &h->table[region];
}

/* Returns the object that a pointer points into; NULL if there is none (any more), or if the
 * read set has not noted it. */
static inline struct vm_obj *vm_heap_peek(const struct vm_heap *h, uint64_t p)
{
    const struct vm_table *t = &h->table[vm_ptr_region(p) % 8u];
    uint32_t i = vm_ptr_index(p);
    return i < t->n ? t->obj[i] : NULL;
}

/* Returns the object that a pointer points into; NULL if there is none (any more). */
static inline struct vm_obj *vm_heap_get(const struct vm_heap *h, uint64_t p)
{
    struct vm_obj *o = vm_heap_peek(h, p);
    if (__builtin_expect(!o && h->readset.recording, 0))
        return vm_readset_note((struct vm_heap *)h, p);
    return o;
}

/* Returns the object of p, of which only its size, its kind and the n bytes at p will be read,
 * and only as long as nothing is changed. */
static inline struct vm_obj *vm_heap_part(const struct vm_heap *h, uint64_t p, uint64_t n)
{
    struct vm_obj *o = vm_heap_peek(h, p);
    if (__builtin_expect(!o && h->readset.recording, 0))
        return vm_readset_note_part((struct vm_heap *)h, p, n);
    return o;
}

/* Returns a pointer to a new object, with contents as vm_obj_new says; 0 if memory of the host
 * or ids are exhausted. */
uint64_t vm_heap_make(struct vm_heap *h, uint32_t size, uint8_t kind, uint64_t site);
/* Makes frames.  vm_heap_make_first: the first frame of the thread with this number (1 or
 * more); vm_heap_make_callee: the frame that a frame calls; vm_heap_make_frame: one with an
 * index, or anywhere if the index is taken. */
uint64_t vm_heap_make_first(struct vm_heap *h, uint32_t size, uint64_t thread);
uint64_t vm_heap_make_callee(struct vm_heap *h, uint32_t size, uint64_t caller);
uint64_t vm_heap_make_frame(struct vm_heap *h, uint32_t size, uint32_t at);
/* Gives a new object a number for a stable id: see inchash.h. */
void vm_heap_give_id(struct vm_heap *h, uint64_t p, uint64_t number);
void vm_heap_free(struct vm_heap *h, uint64_t p);
/* Forgets p, which was freed, since no pointer to it is left: its index may be used again, if
 * it is not below `from`. */
void vm_heap_forget(struct vm_heap *h, uint64_t p, uint32_t from);
void vm_heap_resize(struct vm_heap *h, uint64_t p, uint32_t size);
/* Sets the word of n pages of p's object, which is a mapping's (protect.h). */
void vm_heap_protect(struct vm_heap *h, uint64_t p, uint32_t page, uint32_t n, uint64_t word);
/* Puts another reference of an object that nobody may write, or NULL, in p's place. */
void vm_heap_put(struct vm_heap *h, uint64_t p, struct vm_obj *o);
/* Exchanges the objects of two live pointers. */
void vm_heap_exchange(struct vm_heap *h, uint64_t p, uint64_t q);
struct vm_obj *vm_heap_copy_on_write(struct vm_heap *h, uint64_t p);

/* Returns the object of p, ready to be written. */
static inline struct vm_obj *vm_heap_own(struct vm_heap *h, uint64_t p, struct vm_obj *o)
{
    return o->flags & VM_OWNED ? o : vm_heap_copy_on_write(h, p);
}

/* Gives the object its hash: it must be copied before it is written again. */
static inline void vm_heap_hash(struct vm_heap *h, struct vm_obj *o)
{
    if (o->flags & VM_HASHED)
        return;
    vm_obj_hash(o);
    h->bytes_hashed += o->size;
}

/* Does what vm_heap_own does, where only n bytes at p will be written. */
static inline struct vm_obj *vm_heap_own_bytes(struct vm_heap *h, uint64_t p, struct vm_obj *o,
                                               uint64_t n)
{
    if (!(o->flags & VM_PAGED))
        return vm_heap_own(h, p, o);
    if (!(o->flags & VM_OWNED))
        vm_pages_touch(h, o, (uint32_t)p, n);
    return o;
}
/* Takes a page that will change out of the table. */
void vm_heap_touch(struct vm_heap *h, uint32_t page);

/* Marks p's object and all it reaches as shared; of an object of the kernel's, what it
 * points to. */
void vm_heap_share(struct vm_heap *h, uint64_t p);
/* Shares all objects that n bytes at p point to. */
void vm_heap_spread(struct vm_heap *h, uint64_t p, uint32_t n);
/* Notes that the object was reached by something else than a whole pointer. */
void vm_heap_doubt(struct vm_heap *h, const struct vm_obj *o);
/* Decides about the suspects, when the transition ends or branches. */
void vm_heap_check_suspects(struct vm_heap *h);

void vm_heap_close(struct vm_heap *h);
void vm_heap_mark(struct vm_heap *h, struct vm_heap_mark *mark);
void vm_heap_undo(struct vm_heap *h, const struct vm_heap_mark *mark);
/* Brings the memory back to the origin's. */
void vm_heap_undo_all(struct vm_heap *h);

/* Has nothing changed since the sum was brought up to date? */
static inline bool vm_heap_is_summed(const struct vm_heap *h)
{
    return h->summed && h->nsummed == h->nlog;
}
/* Returns the present memory as a value, which the caller owns.  The sum must be up to date. */
struct vm_root vm_heap_snapshot(struct vm_heap *h);
/* States that are made later get their origin's base snapshot. */
void vm_rebase_release(struct vm_rebase *rebase);
/* Goes to another root, which becomes the heap's origin, with all its references. */
void vm_heap_restore(struct vm_heap *h, struct vm_root *root);
/* Returns a node without children. */
struct vm_node *vm_node_new(void);
struct vm_node *vm_node_retain(struct vm_node *node);
/* Drops a reference.  levels: 1 for a node whose children are objects. */
void vm_node_release(struct vm_node *node, unsigned levels);
/* Returns a base snapshot without objects. */
struct vm_base *vm_base_new(void);
struct vm_base *vm_base_retain(struct vm_base *base);
/* Drops one reference; NULL is fine. */
void vm_base_release(struct vm_base *base);
/* Calls visit for each index where two trees of so many levels have another object. */
void vm_tree_differ(const struct vm_node *from, const struct vm_node *to, unsigned levels,
                    void (*visit)(void *context, uint32_t index, const struct vm_obj *o),
                    void *context);
/* Returns the object at an index, NULL if there is none. */
struct vm_obj *vm_tree_at(const struct vm_tree *tree, uint32_t index);
/* Returns room for n changes, to be filled in. */
struct vm_changes *vm_changes_new(uint32_t n);
/* Takes one more of each reference that the root has. */
void vm_root_retain(const struct vm_root *root);
void vm_root_release(struct vm_root *root);
void vm_heap_valid(const struct vm_heap *h);

uint64_t vm_leak_term(const struct vm_obj *o);

#endif
