/* inchash.h - the incremental hash: the objects that a state's fingerprint takes as a sum.
 *
 * Stable objects are globals, frames, the kernel's records of threads, their thread-local
 * memory, and, where there are many, the heap objects that were there when the second thread
 * began (pre-concurrent objects).  Each has a stable id: a global or a frame its index (see
 * below how frames get theirs), the kernel's records and thread-local memory a number that the
 * kernel gives them, a pre-concurrent object its place in the canonical form when it got the
 * id.  So each contributes a term of its own, whatever the others are, and the sum of the terms
 * changes with the few objects that a transition writes (as in Musuvathi & Dill, "An
 * incremental heap canonicalization algorithm", 2005; there all objects keep ids).  An object
 * that points to one without a stable id has no term: it is in the frontier, which is visited
 * for each fingerprint.
 *
 * Ownership: a struct vm_inchash owns a reference of both lists; lists are immutable. */
#ifndef VM_INCHASH_H
#define VM_INCHASH_H

#include <stdbool.h>
#include <stdint.h>

#include "object.h"
#include "readset.h"
#include "stable_ids.h"
#include "vm/program.h"

struct vm_heap;
struct vm_obj;

struct vm_inchash {
    uint64_t sum[2];
    uint64_t leak_sum;                /* of stable heap objects (vm_leak_term) */
    struct vm_id_list *frontier;      /* upper halves of pointers, sorted by id; NULL: none */
    struct vm_stable_ids *stable_ids; /* NULL: no heap object is stable */
    uint64_t nstable;                 /* so many objects with a stable id had been made then */
    uint32_t nraw;                    /* objects with a pointer that is not whole and aligned */
    bool preconcurrent;               /* the program's pre-concurrent objects are stable, too */
    /* The hash and the leak terms of the objects that a fingerprint visits (the rest); valid if
     * `visited`. */
    bool visited;
    uint64_t rest[2], rest_leak_sum;
    uint64_t rest_keys; /* the same with all that these leave out: ids, and which thread made
                         * which object */
};

/* Places of frames.  Each thread's frames stand in a block by the thread's number, callers
 * first, so that their indexes do not tell what other threads have done.  The first block has
 * the machine's own: the scheduler's from 0 on, the open footprints at the end.  A block goes
 * on VM_DEEPER further, and VM_BUFFERS further is the thread's store buffer (vm/exec/buffer.h).
 * Still deeper frames, more threads, and stacks of another kind (of signal handlers, copies)
 * have blocks after VM_HOMES, as they come; those are not stable. */
enum {
    VM_BLOCK = 8,
    VM_DEEPER = 64 * VM_BLOCK,
    VM_BUFFERS = 2 * VM_DEEPER,
    VM_HOMES = 3 * VM_DEEPER,
    VM_FOOTPRINTS = VM_BLOCK - 1,
};

/* The region of pages is that of constants, which neither log nor states know. */
enum { VM_PAGES = VM_ID_CONST };

void vm_inchash_retain(const struct vm_inchash *s);
void vm_inchash_release(struct vm_inchash *s);
/* Copies the value of `from`, with references of its own. */
void vm_inchash_set(struct vm_inchash *s, const struct vm_inchash *from);

/* Returns the id of the object of a pointer, live or not; 0 if it is not stable.  Here and in
 * the frontier pages have pointers, too: of the region VM_PAGES. */
static inline uint64_t vm_stable_id(const struct vm_inchash *s, uint64_t p)
{
    unsigned region = vm_ptr_region(p);
    uint32_t i = vm_ptr_index(p);
    if (region == VM_ID_HEAP)
        return s->stable_ids ? vm_stable_ids_at(s->stable_ids, i) : 0;
    if (region == VM_ID_FRAME)
        return i < VM_HOMES ? vm_ptr_id(p) : 0;
    return region == VM_ID_GLOBAL || region == VM_PAGES ? vm_ptr_id(p) : 0;
}

/* Returns the symmetric thread whose object an id is, by its number; 0 if it is nobody's, or no
 * symmetric thread's. */
static inline unsigned vm_symmetric_thread(const struct vm_inchash *s, uint64_t id)
{
    uint64_t symmetric = s->stable_ids ? s->stable_ids->symmetric : 0, t = id / 2;
    if (__builtin_expect(!symmetric, 1))
        return 0;
    if (vm_id_region(id) == VM_ID_FRAME)
        t = id % VM_DEEPER / VM_BLOCK;
    else if (id >= VM_THREAD_IDS)
        return 0;
    return t < 64 && symmetric >> t & 1 ? (unsigned)t : 0;
}

/* Mixes a word into two hashes; the order of words matters. */
static inline void vm_term_mix(uint64_t at[2], uint64_t x)
{
    at[0] = vm_fold_product(at[0] ^ x, 0x9e3779b97f4a7c15) + x;
    at[1] = vm_fold_product(at[1] + x, 0xd6e8feb86659fd93) ^ x;
}

/* Is an object's term also a sum of terms of its words?  Then a word changes it, whatever the
 * others are.  It is for larger objects that no thread has made, where the effect of a
 * transition tells of words (tcache.h).  It is not for local variables, since no word says
 * which variable it is, and whose; nor for objects with protections. */
static inline bool vm_inchash_by_words(uint64_t id, const struct vm_obj *o)
{
    bool large = vm_id_region(id) == VM_PAGES || vm_obj_words(o) > VM_WHOLE_WORDS;
    return large && !o->bits && id >= VM_THREAD_IDS && vm_id_region(id) != VM_ID_FRAME &&
           o->kind != VM_OBJ_STACK && !(o->kind & VM_OBJ_PROTECTED);
}
/* Is the object in the frontier? */
bool vm_inchash_in_frontier(const struct vm_inchash *s, uint64_t p);

/* Brings the heap's sum up to date.  Whoever calls it closes the open part of the log
 * before anything is written again. */
void vm_inchash_update(struct vm_heap *h);
/* Gives heap objects these ids from now on; takes the reference of stable_ids.  preconcurrent:
 * others than threads' objects have ids, too. */
void vm_inchash_set_ids(struct vm_heap *h, struct vm_stable_ids *stable_ids,
                        bool preconcurrent);
/* Adds the term of an object with a valid hash, or takes it away (-1); false if it has none,
 * being in the frontier. */
bool vm_inchash_add(const struct vm_inchash *s, uint64_t p, const struct vm_obj *o, int sign,
                    uint64_t sum[2]);
/* Asserts that the sum of s, which is up to date, is that of the tables. */
void vm_inchash_valid(const struct vm_heap *h, const struct vm_inchash *s);

#endif
