/* thread_symmetry.h - threads that can be taken for each other.
 *
 * Of threads that began alike (VM_REG_SYMMETRIC) it does not matter which is where, so states
 * that differ in that alone are to have one fingerprint (thread symmetry; Clarke, Enders,
 * Filkorn and Jha, "Exploiting symmetry in temporal logic model checking", 1996, and Bosnacki,
 * Dams and Holenderski, "Symmetric Spin", 2002, which sort processes likewise).  For that the
 * symmetric threads are sorted by what is in their stable objects: record, thread-local memory,
 * frames.  In these, what else of the thread an object leads to is named by its place in the
 * thread.  What leads to symmetric threads from elsewhere has their ranks for numbers; so
 * whichever way equal ones are ranked, only states that are the same but for the numbers of
 * symmetric threads have equal forms.  canonical_order.h ranks equal ones so that all such
 * states have.
 *
 * Whoever shows the program a thread's number has to say so (VM_FLAG_TID).  Belongs to one
 * machine; no memory of its own. */
#ifndef VM_THREAD_SYMMETRY_H
#define VM_THREAD_SYMMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "vm/heap/inchash.h"

struct vm_heap;

enum { VM_MAX_SYMMETRIC = 64 }; /* numbers below */

/* The terms of an object: one for the heap's sum, one for what its symmetric thread looks like.
 * Both depend on the object's contents, its id, and the ids of others; so they are cached. */
struct vm_symmetry_term {
    uint64_t tag; /* of all that; 0: empty */
    uint64_t sum[2], form[2];
};
enum { VM_SYMMETRY_TERMS = 1 << 10 };

struct vm_symmetry_terms {
    struct vm_symmetry_term at[VM_SYMMETRY_TERMS];
};

struct vm_symmetry {
    unsigned n;     /* how many symmetric threads there are, those that have ended included; 0:
                     * none is to be renamed */
    uint64_t named; /* threads whose ranks were asked for: a bit for each number */
    uint64_t tied;  /* threads that look like another */
    uint64_t there; /* threads that have not ended */
    bool coloured;  /* colours stand for threads now, and not ranks */
    unsigned self; /* while coloured: the symmetric thread from whose objects the walk comes; 0:
                    * from no thread's */
    uint8_t rank[VM_MAX_SYMMETRIC];  /* from 1 on, by number; 0: no symmetric thread */
    uint8_t cell[VM_MAX_SYMMETRIC];  /* the first rank of the threads that look alike */
    uint8_t order[VM_MAX_SYMMETRIC]; /* numbers, by rank - 1 */
    /* For each thread: what it looks like, which objects lead to it, and which it leads to, as
     * hashes. */
    uint64_t colour[VM_MAX_SYMMETRIC][2], asked[VM_MAX_SYMMETRIC], seen[VM_MAX_SYMMETRIC];
    /* How many objects are visited; and how many if each symmetric thread's are visited
     * apart. */
    uint32_t reached, reached_apart;
    uint64_t sum[2];  /* the sum of the terms of their objects in the heap's sum */
    uint64_t form[2]; /* the form that replaces it */
    uint64_t rest[2]; /* the form that replaces inchash.rest: the rest, visited by ranks */
};

/* Finds the heap's symmetric threads and adds up what is in their objects.  The heap's sum must
 * be up to date, without pieces of pointers. */
void vm_symmetry_find(struct vm_symmetry *symmetry, struct vm_symmetry_terms *terms,
                      const struct vm_heap *h);
/* Updates the result of vm_symmetry_find where the object at p, if it is a symmetric thread's,
 * is about to be replaced by another or by none. */
void vm_symmetry_copy(struct vm_symmetry *symmetry, const struct vm_symmetry *from,
                      uint64_t mask);
void vm_symmetry_change(struct vm_symmetry *symmetry, struct vm_symmetry_terms *terms,
                        const struct vm_heap *h, uint64_t p, const struct vm_obj *o);
/* Sorts the threads by their sums. */
void vm_symmetry_sort(struct vm_symmetry *symmetry, uint64_t mask);
/* Sorts them again, by their colours, which have changed. */
void vm_symmetry_rank_all(struct vm_symmetry *symmetry, uint64_t mask);
/* From now on, places that lead to a symmetric thread go into what is asked. */
void vm_symmetry_colour(struct vm_symmetry *symmetry);

static inline unsigned vm_symmetry_rank(const struct vm_symmetry *symmetry, unsigned tid)
{
    return symmetry->n ? symmetry->rank[tid] : 0;
}

/* Returns an object's place in its thread. */
static inline uint64_t vm_thread_place(uint64_t id)
{
    uint64_t frame = id % ((uint64_t)1 << 29);
    return id < VM_THREAD_IDS ? id % 2 : 2 + frame % VM_BLOCK + frame / VM_DEEPER * VM_BLOCK;
}

/* Returns what stands for an object of a symmetric thread while these are told apart; at: the
 * object's place in its thread. */
static inline uint64_t vm_symmetry_by_colour(struct vm_symmetry *symmetry, unsigned tid,
                                             uint64_t at, uint64_t place)
{
    if (tid == symmetry->self)
        return (uint64_t)1 << 34 | at;
    const uint64_t *from = symmetry->colour[symmetry->self];
    uint64_t asks = symmetry->self ? vm_fold(from[0] ^ vm_fold(from[1])) : 0;
    symmetry->asked[tid] += vm_fold(place ^ at << 48 ^ asks);
    return vm_fold(symmetry->colour[tid][0] ^ vm_fold(symmetry->colour[tid][1] ^ at));
}

/* Returns the id, or for an object of a symmetric thread one by rank; place: where it is asked
 * for. */
static inline uint64_t vm_symmetry_id(struct vm_symmetry *symmetry, const struct vm_inchash *s,
                                      uint64_t id, uint64_t place)
{
    unsigned tid = symmetry->n ? vm_symmetric_thread(s, id) : 0;
    if (__builtin_expect(!tid, 1))
        return id;
    symmetry->named |= (uint64_t)1 << tid;
    if (symmetry->coloured)
        return vm_symmetry_by_colour(symmetry, tid, vm_thread_place(id), place);
    return (uint64_t)1 << 33 | (uint64_t)symmetry->rank[tid] << 16 | vm_thread_place(id);
}

/* Returns the term that a symmetric thread's number adds to the hash of its record. */
static inline uint64_t vm_symmetry_tid(const struct vm_symmetry *symmetry,
                                       const struct vm_obj *o)
{
    uint64_t tid = symmetry->n ? vm_obj_tid(o) : 0;
    return tid && tid < VM_MAX_SYMMETRIC && symmetry->rank[tid] ? vm_fold(tid) : 0;
}

#endif
