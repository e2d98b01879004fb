/* effect.h - the effects of phases of transitions: inside tcache.c and predict.c. */
#ifndef VM_EFFECT_H
#define VM_EFFECT_H

#include "tcache.h"
#include "trie.h"
#include "vm/fingerprint/effort.h"
#include "vm/fingerprint/forms.h"
#include "vm/machine.h"

enum vm_phase { VM_PHASE_NONE, VM_PHASE_START, VM_PHASE_CHOICE };

/* An object that a phase of a transition has put somewhere; NULL: it has freed the one there.
 */
struct vm_effect_change {
    uint32_t at; /* the upper half of a pointer */
    struct vm_obj *o;
};

/* A word of an object that was not read as a whole. */
struct vm_effect_word {
    uint32_t at, word;
    uint64_t value;
    uint16_t shadow;
};

struct vm_effect_counts {
    uint64_t stable_leak_sum, leak_sum, nheap, bytes;
    uint64_t end; /* of the heap, 0: it does not matter */
};

/* How a phase changes the sum of stable objects.  Of objects of which the effect knows only
 * words, the first two ask that they are in no frontier (vm_effect_is_whole). */
enum vm_sum_change {
    VM_SUM_UNKNOWN,  /* it is computed anew */
    VM_SUM_ADDS,     /* by effect.sum; the frontier stays the same */
    VM_SUM_PREDICTS, /* by effect.sum, but the frontier changes, too: so it is only predicted */
    VM_SUM_APART,    /* by effect.sum, without the objects of which words change; as ADDS */
};

/* The effect of a phase of a transition; counts and sums are what it added. */
struct vm_effect {
    bool at_end;      /* the transition has ended: as vm_flags says */
    bool visited;     /* the form of the visited rest stays what it was */
    bool in_frontier; /* an object of which words change was in the frontier, so that its other
                       * words were visited, too */
    enum vm_sum_change change : 8;
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

/* A leaf of the trie that is no struct vm_effect: the phase has to be executed. */
enum { VM_WHAT_UNKNOWN = 2 };

/* A choice whose effect was looked for before it was taken.  path: 0 if it is not known. */
struct vm_ahead {
    uint32_t place;
    uint64_t thread, path;
    uintptr_t what; /* as vm_trie_find returns it */
};
enum { VM_AHEAD = 32 };

/* The number of phases, of VM_TRIES, that must be found in the cache; else the cache is not
 * asked for a while. */
enum { VM_ENOUGH_PHASES = VM_TRIES / 2 };

/* A phase of which nothing could ever be kept, although it was tried so many times. */
struct vm_hopeless {
    uint64_t path; /* the path of what is read in any case */
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
    uint64_t state, scheduler, fault; /* registers with which all this was cached */
    struct vm_ahead ahead[VM_AHEAD];  /* of this state */
    uint32_t nahead;
    struct vm_symmetry symmetry, symmetry_ahead; /* of this state; after a choice */
    struct vm_effort phases_tried;
    struct vm_hopeless hopeless[VM_HOPELESS]; /* by paths */
    /* While it executes: */
    uint32_t prefix[VM_PREFIX], nprefix; /* reads that come in any case, before the trie */
#ifdef DIVM_DEBUG
    unsigned turn;
#endif
};

/* tcache.c.  vm_tcache_suits: may the phase be looked for in the cache?  vm_tcache_path: the
 * path in the trie after what all choices read; vm_tcache_path_on: after what this choice reads
 * first; 0 if it is not known.  vm_effect_is_whole: is no object of which the effect knows only
 * words in the frontier of the state in which the phase begins? */
bool vm_tcache_suits(struct vm *vm, enum vm_phase phase);
uint64_t vm_tcache_path(struct vm *vm, enum vm_phase phase);
uint64_t vm_tcache_path_on(const struct vm *vm, uint64_t path, uint32_t place, uint64_t thread);
bool vm_effect_is_whole(const struct vm_heap *h, const struct vm_effect *k);
/* predict.c.  vm_ahead_at: returns the choice, if its effect was looked for, or NULL.
 * vm_rest_begin: a cached effect is about to be applied.  vm_tcache_expect: debugging builds
 * compare with it. */
const struct vm_ahead *vm_ahead_at(const struct vm_tcache *m, uint32_t place);
void vm_rest_begin(struct vm *vm, const struct vm_effect *k);
#ifdef DIVM_DEBUG
void vm_tcache_expect(struct vm *vm, const struct vm_effect *k);
#endif

#endif
