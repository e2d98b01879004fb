/* known.h - what is known of parts of transitions: inside memo.c and foretell.c. */
#ifndef VM_KNOWN_H
#define VM_KNOWN_H

#include "memo.h"
#include "vm/canon/effort.h"
#include "vm/canon/forms.h"
#include "vm/machine.h"
#include "ways.h"

enum vm_part { VM_PART_NONE, VM_PART_START, VM_PART_CHOICE };

/* An object that a part of a transition has put somewhere; NULL: it has freed the one there. */
struct vm_known_change {
    uint32_t at; /* the upper half of a pointer */
    struct vm_obj *o;
};

/* A word of an object that was not looked at as a whole. */
struct vm_known_word {
    uint32_t at, word;
    uint64_t value;
    uint16_t shadow;
};

struct vm_known_counts {
    uint64_t settled_leak_sum, leak_sum, nheap, bytes;
    uint64_t end; /* of the heap, 0: it does not matter */
};

/* What came of a part of a transition; counts and sums are what it added. */
struct vm_known {
    bool at_end;    /* the transition has ended: as vm_flags says */
    bool foretells; /* the sum changes by that, if objects are whole of which words change */
    bool summed;    /* and so does all that belongs to it: the border is the same */
    bool visited;   /* what is visited for a fingerprint is what it was */
    bool apart;     /* objects of which words change are left out of the sum */
    bool bordered;  /* one of them was in the border then: so its other words were visited */
    uint8_t ended;
    uint16_t nchanges, nwords;
    uint32_t instructions, nraw;
    uint64_t sum[2], footprint;
    struct vm_known_counts *counts;   /* or NULL: unchanged */
    struct vm_scalars *s;             /* where threads are chosen; else all is as at each end */
    struct vm_known *next;            /* of all */
    struct vm_known_change changes[]; /* behind these, the words */
};

static inline struct vm_known_word *vm_known_words(const struct vm_known *k)
{
    return (struct vm_known_word *)(k->changes + k->nchanges);
}

/* What the tree leads to beside a struct vm_known: it has to be executed. */
enum { VM_WHAT_UNKNOWN = 2 };

/* A choice that was looked at before it was taken.  way: 0 if it is not to be told. */
struct vm_ahead {
    uint32_t place;
    uint64_t thread, way;
    uintptr_t what; /* as vm_ways_find says */
};
enum { VM_AHEAD = 32 };

/* So many parts of those that are tried have to be found, or there is a pause. */
enum { VM_ENOUGH_PARTS = VM_TRIES / 2 };

/* A part of which nothing could be kept, so many times, nor ever something. */
struct vm_hopeless {
    uint64_t way; /* of what is looked at in any case */
    uint32_t times;
};

enum { VM_PREFIX = 4, VM_HOPELESS = 1024 };

struct vm_memo {
    struct vm_ways ways;
    struct vm_known *all;
    size_t bytes, max_bytes;
    struct vm_forms *forms; /* the machine's */
    enum vm_part pending;
    uint32_t place;                   /* the choice that is taken */
    uint64_t thread;                  /* that is chosen */
    uint64_t state, scheduler, fault; /* registers with which all this is known */
    struct vm_ahead ahead[VM_AHEAD];  /* of this state */
    uint32_t nahead;
    struct vm_twins twins, twins_ahead; /* of this state; after a choice */
    struct vm_effort parts_tried;
    struct vm_hopeless hopeless[VM_HOPELESS]; /* by ways */
    /* While it executes: */
    uint32_t prefix[VM_PREFIX], nprefix; /* what is looked at in any case, before the tree */
#ifdef DIVM_DEBUG
    unsigned turn;
#endif
};

/* memo.c: nothing is in the way of finding a part; the way of what all choices look at, and
 * with what one looks at, or 0 if that is not to be told; are objects whole of which words
 * are known (not in the border), at the state at which that begins? */
bool vm_memo_suits(struct vm *vm, enum vm_part part);
uint64_t vm_memo_way(struct vm *vm, enum vm_part part);
uint64_t vm_memo_way_on(const struct vm *vm, uint64_t way, uint32_t place, uint64_t thread);
bool vm_known_is_whole(const struct vm_heap *h, const struct vm_known *k);
/* foretell.c: where a choice was looked at before, or NULL; before a known transition is
 * done; and what debugging builds look at. */
const struct vm_ahead *vm_ahead_at(const struct vm_memo *m, uint32_t place);
void vm_rest_begin(struct vm *vm, const struct vm_known *k);
#ifdef DIVM_DEBUG
void vm_memo_expect(struct vm *vm, const struct vm_known *k);
#endif

#endif
