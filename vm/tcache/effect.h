/* effect.h - what is known of parts of transitions: inside tcache.c and predict.c. */
#ifndef VM_EFFECT_H
#define VM_EFFECT_H

#include "tcache.h"
#include "trie.h"
#include "vm/canon/effort.h"
#include "vm/canon/forms.h"
#include "vm/machine.h"

enum vm_phase { VM_PHASE_NONE, VM_PHASE_START, VM_PHASE_CHOICE };

/* An object that a part of a transition has put somewhere; NULL: it has freed the one there. */
struct vm_effect_change {
    uint32_t at; /* the upper half of a pointer */
    struct vm_obj *o;
};

/* A word of an object that was not looked at as a whole. */
struct vm_effect_word {
    uint32_t at, word;
    uint64_t value;
    uint16_t shadow;
};

struct vm_effect_counts {
    uint64_t stable_leak_sum, leak_sum, nheap, bytes;
    uint64_t end; /* of the heap, 0: it does not matter */
};

/* What came of a part of a transition; counts and sums are what it added. */
struct vm_effect {
    bool at_end;   /* the transition has ended: as vm_flags says */
    bool predicts; /* the sum changes by that, if objects are whole of which words change */
    bool summed;   /* and so does all that belongs to it: the frontier is the same */
    bool visited;  /* what is visited for a fingerprint is what it was */
    bool apart;    /* objects of which words change are left out of the sum */
    bool
        in_frontier; /* one of them was in the frontier then: so its other words were visited */
    uint8_t ended;
    uint16_t nchanges, nwords;
    uint32_t instructions, nraw;
    uint64_t sum[2], footprint;
    struct vm_effect_counts *counts; /* or NULL: unchanged */
    struct vm_scalars *s;            /* where threads are chosen; else all is as at each end */
    struct vm_effect *next;          /* of all */
    struct vm_effect_change changes[]; /* behind these, the words */
};

static inline struct vm_effect_word *vm_effect_words(const struct vm_effect *k)
{
    return (struct vm_effect_word *)(k->changes + k->nchanges);
}

/* What the tree leads to beside a struct vm_effect: it has to be executed. */
enum { VM_WHAT_UNKNOWN = 2 };

/* A choice that was looked at before it was taken.  way: 0 if it is not to be told. */
struct vm_ahead {
    uint32_t place;
    uint64_t thread, path;
    uintptr_t what; /* as vm_trie_find says */
};
enum { VM_AHEAD = 32 };

/* So many parts of those that are tried have to be found, or there is a pause. */
enum { VM_ENOUGH_PHASES = VM_TRIES / 2 };

/* A part of which nothing could be kept, so many times, nor ever something. */
struct vm_hopeless {
    uint64_t path; /* of what is looked at in any case */
    uint32_t times;
};

enum { VM_PREFIX = 4, VM_HOPELESS = 1024 };

struct vm_tcache {
    struct vm_trie trie;
    struct vm_effect *all;
    size_t bytes, max_bytes;
    struct vm_forms *forms; /* the machine's */
    enum vm_phase pending;
    uint32_t place;                   /* the choice that is taken */
    uint64_t thread;                  /* that is chosen */
    uint64_t state, scheduler, fault; /* registers with which all this is known */
    struct vm_ahead ahead[VM_AHEAD];  /* of this state */
    uint32_t nahead;
    struct vm_symmetry symmetry, symmetry_ahead; /* of this state; after a choice */
    struct vm_effort phases_tried;
    struct vm_hopeless hopeless[VM_HOPELESS]; /* by ways */
    /* While it executes: */
    uint32_t prefix[VM_PREFIX], nprefix; /* what is looked at in any case, before the tree */
#ifdef DIVM_DEBUG
    unsigned turn;
#endif
};

/* tcache.c: nothing is in the way of finding a part; the way of what all choices look at, and
 * with what one looks at, or 0 if that is not to be told; are objects whole of which words
 * are known (not in the frontier), at the state at which that begins? */
bool vm_tcache_suits(struct vm *vm, enum vm_phase phase);
uint64_t vm_tcache_path(struct vm *vm, enum vm_phase phase);
uint64_t vm_tcache_path_on(const struct vm *vm, uint64_t path, uint32_t place, uint64_t thread);
bool vm_effect_is_whole(const struct vm_heap *h, const struct vm_effect *k);
/* predict.c: where a choice was looked at before, or NULL; before a cached transition is
 * done; and what debugging builds look at. */
const struct vm_ahead *vm_ahead_at(const struct vm_tcache *m, uint32_t place);
void vm_rest_begin(struct vm *vm, const struct vm_effect *k);
#ifdef DIVM_DEBUG
void vm_tcache_expect(struct vm *vm, const struct vm_effect *k);
#endif

#endif
