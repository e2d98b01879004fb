/* stable_ids.h - lists of stable ids, which many states have in common.
 *
 * What stable ids are: inchash.h.  Threads' objects have ids below VM_THREAD_IDS, which come
 * and go with threads; pre-concurrent objects got theirs all at once.  There may be many of the
 * latter, so their list is apart, and what a new thread costs does not depend on it.
 *
 * Ownership: reference-counted and immutable; a struct vm_stable_ids has a reference of the
 * list below it. */
#ifndef VM_STABLE_IDS_H
#define VM_STABLE_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The ids of threads' objects are below VM_THREAD_IDS, those of pre-concurrent objects are not.
 */
enum { VM_THREAD_IDS = 1 << 12 };

struct vm_id_list {
    uint32_t refs;
    uint32_t n;
    uint32_t at[];
};

/* The ids of heap objects. */
struct vm_stable_ids {
    uint32_t refs;
    uint32_t first, n;        /* at[]: of the indexes from first to n - 1; 0: not stable */
    struct vm_id_list *below; /* the ids of indexes below first; NULL: first is 0 */
    uint64_t preconcurrent; /* a hash of the ids of pre-concurrent objects, 0: there are none */
    uint64_t hash;          /* of all ids and the symmetric threads */
    uint64_t symmetric;     /* of threads (thread_symmetry.h): by number */
    uint32_t nholders;
    uint32_t at[]; /* and behind: by id below VM_THREAD_IDS, the index that has it, nholders of
                      them; 0: none */
};

struct vm_id_list *vm_id_list_new(uint32_t n);
struct vm_id_list *vm_id_list_copy(const struct vm_id_list *ids);
bool vm_id_list_alike(const struct vm_id_list *ids, const struct vm_id_list *other);
/* Takes a reference.  NULL is fine, here and below. */
struct vm_id_list *vm_id_list_retain(struct vm_id_list *ids);
void vm_id_list_release(struct vm_id_list *ids);

/* Returns a copy of the head; at[] and the part behind it are still to be set. */
struct vm_stable_ids *vm_stable_ids_new(const struct vm_stable_ids *head);
size_t vm_stable_ids_room(const struct vm_stable_ids *head);
/* Returns the list after `before`.  Threads' objects have these ids.  Pre-concurrent objects
 * keep theirs, or if preconcurrent is not NULL, have these (ids of threads' objects in it do
 * not count). */
struct vm_stable_ids *vm_stable_ids_next(const struct vm_stable_ids *before,
                                         struct vm_id_list *preconcurrent,
                                         const uint32_t *holder, uint32_t nholders,
                                         uint64_t symmetric);
/* Returns a copy with another list below it, whose reference it takes. */
struct vm_stable_ids *vm_stable_ids_copy(const struct vm_stable_ids *stable_ids,
                                         struct vm_id_list *below);
/* Are the upper lists equal, whatever is below them? */
bool vm_stable_ids_alike(const struct vm_stable_ids *stable_ids,
                         const struct vm_stable_ids *other);
struct vm_stable_ids *vm_stable_ids_retain(struct vm_stable_ids *stable_ids);
void vm_stable_ids_release(struct vm_stable_ids *stable_ids);
void vm_stable_ids_valid(const struct vm_stable_ids *stable_ids);

static inline uint32_t vm_stable_ids_at(const struct vm_stable_ids *stable_ids, uint32_t index)
{
    if (index >= stable_ids->first)
        return index < stable_ids->n ? stable_ids->at[index - stable_ids->first] : 0;
    return stable_ids->below->at[index];
}

static inline const uint32_t *vm_stable_ids_holders(const struct vm_stable_ids *stable_ids)
{
    return stable_ids->at + (stable_ids->n - stable_ids->first);
}

/* Returns the index that has an id below VM_THREAD_IDS, 0: none. */
static inline uint32_t vm_stable_ids_holder(const struct vm_stable_ids *stable_ids,
                                            uint32_t name)
{
    return stable_ids && name < stable_ids->nholders ? vm_stable_ids_holders(stable_ids)[name]
                                                     : 0;
}

#endif
