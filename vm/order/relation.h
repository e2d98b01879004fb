/* relation.h - who knows of what: items, holders, and a matrix of bits between them.
 *
 * An item is something that has happened: a plain access, a store of an atomic place, or an
 * event that seq_cst orders.  A holder is somebody, or something, that can pass knowledge on.
 * There is a bit for each item and holder in each of three planes:
 *
 *                  of an access   of a store          of an event (seq_cst.h)
 *   VM_KNOWN       happens before was seen            happens before
 *   VM_STRONG      -              happens before      comes before a fence
 *   VM_SEQUENCED   -              -                   comes before an access
 *
 * of what the holder stands for.  That a store happens before something is noted if there are
 * fences.  Who has seen a store reads no earlier one any more.
 *
 * Belongs to one machine, for one transition: record.c makes it out of an object of the heap
 * and writes it back. In a search by executions, where nothing is hashed between transitions,
 * it stays, and marks of the machine have copies of it (copy.c). */
#ifndef VM_RELATION_H
#define VM_RELATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/exec/race.h"
#include "vm/exec/register.h"
#include "vm/machine.h"

enum vm_holder_kind {
    VM_OF_THREAD,  /* knows what happened before the thread's next action */
    VM_OF_ACQUIRE, /* knows what an acquire fence would add to that */
    VM_OF_RELEASE, /* knows what the thread's last release fence fixed; there is one if there
                    * was such a fence */
    VM_OF_KERNEL,  /* knows what an object of the kernel passes on, or all its calls together */
    VM_OF_STORE,   /* knows what a store passes on to a thread that acquires it */
    VM_OF_ITSELF,  /* seq_cst.h: the event that a store is */
    VM_OF_BEFORE,  /* events before it */
    VM_OF_READERS, /* events before a read of it */
    VM_OF_AFTER,   /* events after it */
    VM_OF_SEEN,    /* fences after it or a read of it */
    VM_OF_EVENT,   /* events before an event */
    VM_OF_NOBODY,  /* it is gone */
    VM_HOLDER_KINDS,
};

struct vm_holder {
    uint64_t thread; /* its record; of the kernel, an object's place; or 0 */
    uint32_t id;     /* of a store or event, else 0 */
    enum vm_holder_kind kind;
};

enum vm_plane { VM_KNOWN, VM_STRONG, VM_SEQUENCED, VM_PLANES };

enum vm_item_kind { VM_ITEM_ACCESS, VM_ITEM_STORE, VM_ITEM_EVENT };

struct vm_item {
    enum vm_item_kind kind;
    uint32_t id;            /* of stores and events, unique in the transition */
    struct vm_entry access; /* of stores and events the place is the range; a fence has none */
    uint32_t rank;          /* of a store in the modification order of its place, from 0 */
    bool joined; /* it is a read-modify-write of the store before it: none comes in between */
    bool late;   /* it was executed after one that comes later (with names) */
    bool fence;  /* the event is a fence */
    struct vm_value
        value[2]; /* of a store that is not the last one, whose value is in memory */
};

/* A thread at the end of a transition, with the holders by which it knows of something
 * (VM_NO_HOLDER: there is none). */
struct vm_knower {
    uint64_t thread;
    uint32_t holder, kernel;
    uint64_t awaits; /* the thread for whose end it waits, so that it will know what that one
                      * knows */
    bool ended;
};

/* Sets of holders. */
enum vm_mask {
    VM_MASK_KNOWERS, /* plain threads, which must know of whatever is forgotten (forget.c) */
    VM_MASK_AFTER,   /* holders of what comes after stores (seq_cst.c) */
    VM_MASK_EVENTS,  /* holders of what comes before events (seq_cst.c) */
    VM_MASK_USED,    /* holders that know of anything (stores.c) */
    VM_MASKS,
};

struct vm_order {
    bool fences;  /* the program has fences */
    bool values;  /* loads may read stores that are not the last one */
    bool stays;   /* it is kept between transitions; no object of the heap says what is here */
    bool is_copy; /* the arrays that count are in the block of this structure */
    bool changed; /* the object of the heap no longer says what is here */
    struct vm_holder *holders;
    size_t nholders, max_holders;
    uint32_t *plain; /* holders without an id, by their places */
    size_t nplain, max_plain;
    uint32_t *called; /* holders with an id: [id][kind], 0: there is none, else the place and
                       * one */
    size_t max_called;
    struct vm_item *items;
    uint64_t *places; /* of each item: of a store its place, else 0 */
    size_t nitems, max_items;
    size_t begun;                    /* how many there were when the transition began */
    size_t kept_items, kept_holders; /* how many stayed when things were forgotten last */
    uint32_t *events; /* the numbers of items that are events, in ascending order */
    size_t nevents, max_events;
    uint64_t *bits[VM_PLANES];
    size_t stride, max_bits; /* words of a row, and of each plane */
    uint32_t next_id;
    /* The first free holder and the first free id.  Where the relation stays, holders and ids
     * that are gone are used again.  A holder names the next free one as its id, an id in
     * `called` as its VM_OF_NOBODY. */
    uint32_t free_holder, free_id;
    uint32_t *list; /* of vm_stores_list */
    size_t nlist, max_list;
    uint8_t *marks; /* of items, while an access takes place (seq_cst.c) */
    size_t max_marks;
    struct vm_option *options;
    size_t noptions, max_options;
    struct vm_knower *knowers; /* while things are forgotten (forget.c) */
    size_t nknowers, max_knowers;
    bool unknowing; /* one of these knows of nothing */
    uint64_t *masks[VM_MASKS];
    size_t max_masks[VM_MASKS];
};

enum { VM_NO_HOLDER = UINT32_MAX };

uint32_t vm_order_find(const struct vm_order *o, struct vm_holder wanted);
uint32_t vm_order_holder(struct vm_order *o, struct vm_holder wanted);

/* Is the bit of VM_KNOWN set? */
bool vm_order_has(const struct vm_order *o, size_t item, uint32_t holder);
void vm_order_put(struct vm_order *o, size_t item, uint32_t holder, bool knows);
/* Is the bit set, in any plane? */
bool vm_order_is(const struct vm_order *o, enum vm_plane plane, size_t item, uint32_t holder);
void vm_order_set(struct vm_order *o, enum vm_plane plane, size_t item, uint32_t holder,
                  bool on);
/* Returns the bits of an item in a plane: o->stride words, a bit for each holder. */
uint64_t *vm_order_row(struct vm_order *o, enum vm_plane plane, size_t item);
/* Is `only` the one who knows of the item? */
bool vm_order_is_known_to(const struct vm_order *o, size_t item, uint32_t only);
/* Makes `to` know what `from` knows. */
void vm_order_join(struct vm_order *o, uint32_t to, uint32_t from);
/* Makes a holder forget what another one knows. */
void vm_order_settle(struct vm_order *o, uint32_t holder, uint32_t by);
void vm_order_forget(struct vm_order *o, uint32_t holder);
/* Drops a holder, which knows of nothing any more. */
void vm_order_drop_holder(struct vm_order *o, uint32_t holder);
/* Returns the set of holders for that purpose, empty: `stride` words. */
uint64_t *vm_order_mask(struct vm_order *o, enum vm_mask which);
void vm_order_mask_add(uint64_t *mask, uint32_t holder);
bool vm_order_mask_has(const uint64_t *mask, uint32_t holder);
/* Returns how many planes have bits: VM_SEQUENCED says something of events alone, VM_STRONG of
 * these, and of stores where loads may read older ones. */
static inline unsigned vm_order_planes(const struct vm_order *o)
{
    unsigned of_stores = o->values ? VM_STRONG + 1 : VM_KNOWN + 1;
    return o->nevents ? VM_PLANES : o->nitems ? of_stores : 0;
}
/* Finds the holders that know of anything, in any plane: `stride` words. */
void vm_order_used(const struct vm_order *o, uint64_t *used);
/* Drops all items and holders. */
void vm_order_clear(struct vm_order *o);
bool vm_order_knows_any(const struct vm_order *o, uint32_t holder);

static inline uint64_t vm_order_place(const struct vm_item *item)
{
    bool store = item->kind == VM_ITEM_STORE;
    return store ? item->access.range.object + item->access.range.start : 0;
}

/* Adds an item, of which nobody knows; the index of an item is valid until one is dropped. */
size_t vm_order_add(struct vm_order *o, struct vm_item item);
void vm_order_drop(struct vm_order *o, size_t item);
/* Makes all holders that know of item `from` know of item `to`. */
void vm_order_copy_row(struct vm_order *o, size_t to, size_t from);

/* Return holders of the running thread; VM_NO_HOLDER if it has had no release fence. */
uint64_t vm_order_running(const struct vm *vm);
uint32_t vm_order_present(struct vm *vm);
uint32_t vm_order_pending(struct vm *vm);
uint32_t vm_order_fixed(const struct vm *vm);
/* Return the holder for the kernel's calls about an object; 0: for calls that are not about
 * one. */
struct vm_holder vm_order_object(const struct vm *vm, uint64_t p);
uint32_t vm_order_kernel(const struct vm *vm, uint64_t p);
/* Returns the holder of a store or event, which is made if there is none. */
uint32_t vm_order_of(struct vm_order *o, enum vm_holder_kind kind, size_t item);
/* Returns the holder of a store or event; VM_NO_HOLDER if there is none. */
uint32_t vm_order_seek(const struct vm_order *o, enum vm_holder_kind kind, size_t item);

#endif
