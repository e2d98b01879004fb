/* twins.h - threads that can be taken for each other.
 *
 * Of threads that began alike (VM_REG_TWINS) it does not matter which is where, so states that
 * differ in that alone are to have one fingerprint (thread symmetry; Clarke, Enders, Filkorn
 * and Jha, "Exploiting symmetry in temporal logic model checking", 1996, and Bosnacki, Dams and
 * Holenderski, "Symmetric Spin", 2002, which sort processes likewise).  For that the twins are
 * sorted by what is in their settled objects: record, thread-local memory, frames.  In these,
 * what else of the thread an object leads to is named by its place in the thread.  What leads
 * to twins from elsewhere has their ranks for numbers; so whichever way equal ones are ranked,
 * only states that are the same but for the numbers of twins have equal forms.  symmetry.h
 * ranks equal ones so that all such states have.
 *
 * Whoever shows the program a thread's number has to say so (VM_FLAG_NUMBER).  Belongs to one
 * machine; no memory of its own. */
#ifndef VM_TWINS_H
#define VM_TWINS_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/heap/settled.h"

struct vm_heap;

enum { VM_TWINS = 64 }; /* numbers below */

/* What an object adds: to the heap's sum, and to what its twin looks like.  Both depend on its
 * contents, its id, and the ids of others; so they are kept for objects that were looked at. */
struct vm_twin_term {
    uint64_t tag; /* of all that; 0: empty */
    uint64_t sum[2], form[2];
};
enum { VM_TWIN_TERMS = 1 << 10 };

struct vm_twin_terms {
    struct vm_twin_term at[VM_TWIN_TERMS];
};

struct vm_twins {
    unsigned n;     /* of them, whether they are there or not; 0: none is to be renamed */
    uint64_t named; /* whose ranks were asked for: a bit for each number */
    uint64_t tied;  /* those that look like another */
    uint64_t there; /* those that have not ended */
    bool coloured;  /* now what they look like stands for them, and not ranks */
    unsigned self;  /* then: the twin from whose objects the walk comes; 0: from none's */
    uint8_t rank[VM_TWINS];  /* from 1 on, by number; 0: no twin */
    uint8_t cell[VM_TWINS];  /* the first rank of those that look alike */
    uint8_t order[VM_TWINS]; /* numbers, by rank - 1 */
    /* What each looks like; where it is led to from; what it leads to. */
    uint64_t colour[VM_TWINS][2], asked[VM_TWINS], seen[VM_TWINS];
    /* How many objects are visited; and if what each twin leads to is visited for itself. */
    uint32_t reached, reached_apart;
    uint64_t sum[2];  /* what their objects add to the heap's sum */
    uint64_t form[2]; /* and what stands for that */
    uint64_t rest[2]; /* and for settled.rest: what is visited, by ranks */
};

/* The heap's twins, whose sum is up to date and has no pieces of pointers: what is in their
 * objects is added up. */
void vm_twins_find(struct vm_twins *twins, struct vm_twin_terms *terms,
                   const struct vm_heap *h);
/* The same where p's object, if it is a twin's, is going to be another, or none. */
void vm_twins_copy(struct vm_twins *twins, const struct vm_twins *from, uint64_t mask);
void vm_twins_change(struct vm_twins *twins, struct vm_twin_terms *terms,
                     const struct vm_heap *h, uint64_t p, const struct vm_obj *o);
/* Then they are sorted by that. */
void vm_twins_sort(struct vm_twins *twins, uint64_t mask);
/* Sorts them again, by their colours, of which something was made known. */
void vm_twins_rank(struct vm_twins *twins, uint64_t mask);
/* From now on, places where one is led to from go into what is asked. */
void vm_twins_colour(struct vm_twins *twins);

static inline unsigned vm_twin_rank(const struct vm_twins *twins, unsigned twin)
{
    return twins->n ? twins->rank[twin] : 0;
}

/* An object's place in its thread. */
static inline uint64_t vm_twin_place(uint64_t id)
{
    uint64_t frame = id % ((uint64_t)1 << 29);
    return id < VM_NAMES ? id % 2 : 2 + frame % VM_BLOCK + frame / VM_DEEPER * VM_BLOCK;
}

/* While twins are told apart; at: the place of its object that is led to. */
static inline uint64_t vm_twin_by_colour(struct vm_twins *twins, unsigned twin, uint64_t at,
                                         uint64_t place)
{
    if (twin == twins->self)
        return (uint64_t)1 << 34 | at;
    const uint64_t *from = twins->colour[twins->self];
    uint64_t asks = twins->self ? vm_fold(from[0] ^ vm_fold(from[1])) : 0;
    twins->asked[twin] += vm_fold(place ^ at << 48 ^ asks);
    return vm_fold(twins->colour[twin][0] ^ vm_fold(twins->colour[twin][1] ^ at));
}

/* The id, or if it is a twin's, one by rank; place: where it is asked for. */
static inline uint64_t vm_twin_id(struct vm_twins *twins, const struct vm_settled *s,
                                  uint64_t id, uint64_t place)
{
    unsigned twin = twins->n ? vm_twin_of(s, id) : 0;
    if (__builtin_expect(!twin, 1))
        return id;
    twins->named |= (uint64_t)1 << twin;
    if (twins->coloured)
        return vm_twin_by_colour(twins, twin, vm_twin_place(id), place);
    return (uint64_t)1 << 33 | (uint64_t)twins->rank[twin] << 16 | vm_twin_place(id);
}

/* What a twin's number adds to the hash of its record. */
static inline uint64_t vm_twin_tid(const struct vm_twins *twins, const struct vm_obj *o)
{
    uint64_t tid = twins->n ? vm_obj_tid(o) : 0;
    return tid && tid < VM_TWINS && twins->rank[tid] ? vm_fold(tid) : 0;
}

#endif
