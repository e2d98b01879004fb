/* stable_ids.c - see stable_ids.h. */
#include "stable_ids.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"
#include "object.h"
#include "refs.h"

/* With more indexes in the upper list than that, what there is goes to the list below. */
enum { MOST_ABOVE = 1024 };

struct vm_id_list *vm_id_list_new(uint32_t n)
{
    struct vm_id_list *ids = vm_alloc(sizeof *ids + n * sizeof *ids->at);
    ids->refs = 1;
    ids->n = n;
    return ids;
}

struct vm_id_list *vm_id_list_copy(const struct vm_id_list *ids)
{
    struct vm_id_list *copy = vm_id_list_new(ids->n);
    memcpy(copy->at, ids->at, ids->n * sizeof *ids->at);
    return copy;
}

bool vm_id_list_alike(const struct vm_id_list *ids, const struct vm_id_list *other)
{
    return ids == other ||
           (ids->n == other->n && !memcmp(ids->at, other->at, ids->n * sizeof *ids->at));
}

struct vm_id_list *vm_id_list_retain(struct vm_id_list *ids)
{
    if (ids)
        vm_ref_take(&ids->refs);
    return ids;
}

void vm_id_list_release(struct vm_id_list *ids)
{
    if (ids && vm_ref_drop(&ids->refs))
        free(ids);
}

/* ---- stable ids ------------------------------------------------------------------ */

size_t vm_stable_ids_room(const struct vm_stable_ids *head)
{
    return ((size_t)(head->n - head->first) + head->nholders) * sizeof *head->at;
}

struct vm_stable_ids *vm_stable_ids_new(const struct vm_stable_ids *head)
{
    struct vm_stable_ids *stable_ids = vm_alloc(sizeof *stable_ids + vm_stable_ids_room(head));
    *stable_ids = (struct vm_stable_ids){.first = head->first,
                                         .n = head->n,
                                         .preconcurrent = head->preconcurrent,
                                         .hash = head->hash,
                                         .symmetric = head->symmetric,
                                         .nholders = head->nholders};
    stable_ids->refs = 1;
    return stable_ids;
}

struct vm_stable_ids *vm_stable_ids_copy(const struct vm_stable_ids *stable_ids,
                                         struct vm_id_list *below)
{
    struct vm_stable_ids *copy = vm_stable_ids_new(stable_ids);
    copy->below = below;
    memcpy(copy->at, stable_ids->at, vm_stable_ids_room(stable_ids));
    return copy;
}

bool vm_stable_ids_alike(const struct vm_stable_ids *stable_ids,
                         const struct vm_stable_ids *other)
{
    return stable_ids == other ||
           (stable_ids->first == other->first && stable_ids->n == other->n &&
            stable_ids->preconcurrent == other->preconcurrent &&
            stable_ids->hash == other->hash && stable_ids->symmetric == other->symmetric &&
            stable_ids->nholders == other->nholders &&
            !memcmp(stable_ids->at, other->at, vm_stable_ids_room(stable_ids)));
}

struct vm_stable_ids *vm_stable_ids_retain(struct vm_stable_ids *stable_ids)
{
    if (stable_ids)
        vm_ref_take(&stable_ids->refs);
    return stable_ids;
}

void vm_stable_ids_release(struct vm_stable_ids *stable_ids)
{
    if (!stable_ids || !vm_ref_drop(&stable_ids->refs))
        return;
    vm_id_list_release(stable_ids->below);
    free(stable_ids);
}

/* Returns a hash of ids by index, without those of threads' objects. */
static uint64_t forget_holders(struct vm_id_list *preconcurrent, const uint32_t *holder,
                               uint32_t nholders)
{
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k] < preconcurrent->n)
            preconcurrent->at[holder[k]] = 0;
    while (preconcurrent->n && !preconcurrent->at[preconcurrent->n - 1])
        preconcurrent->n--;
    return XXH3_64bits(preconcurrent->at, preconcurrent->n * sizeof *preconcurrent->at) | 1;
}

/* Can the list below stay as it is? */
static bool is_above(const struct vm_stable_ids *before, const uint32_t *holder,
                     uint32_t nholders, uint32_t n)
{
    if (n > before->first + MOST_ABOVE)
        return false;
    for (uint32_t k = 0; k < nholders || k < before->nholders; k++) {
        uint32_t was = vm_stable_ids_holder(before, k), is = k < nholders ? holder[k] : 0;
        if (was != is && ((was && was < before->first) || (is && is < before->first)))
            return false;
    }
    return true;
}

/* Returns all ids of indexes below n: of pre-concurrent and of threads' objects. */
static struct vm_id_list *all_below(const struct vm_id_list *preconcurrent,
                                    const uint32_t *holder, uint32_t nholders, uint32_t n)
{
    struct vm_id_list *ids = vm_id_list_new(n);
    memset(ids->at, 0, n * sizeof *ids->at);
    for (uint32_t i = 0; preconcurrent && i < preconcurrent->n; i++)
        if (preconcurrent->at[i] >= VM_THREAD_IDS)
            ids->at[i] = preconcurrent->at[i];
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k])
            ids->at[holder[k]] = k;
    return ids;
}

struct vm_stable_ids *vm_stable_ids_next(const struct vm_stable_ids *before,
                                         struct vm_id_list *preconcurrent,
                                         const uint32_t *holder, uint32_t nholders,
                                         uint64_t symmetric)
{
    static const struct vm_stable_ids none;
    struct vm_stable_ids head = {.symmetric = symmetric};
    struct vm_id_list *below;
    before = before ? before : &none;
    while (nholders && !holder[nholders - 1])
        nholders--;
    head.nholders = nholders;
    head.preconcurrent =
        preconcurrent ? forget_holders(preconcurrent, holder, nholders) : before->preconcurrent;
    head.n = preconcurrent ? preconcurrent->n : before->first;
    for (uint32_t k = 0; k < nholders; k++)
        head.n = holder[k] >= head.n ? holder[k] + 1 : head.n;
    if (!preconcurrent && is_above(before, holder, nholders, head.n))
        below = vm_id_list_retain(before->below);
    else
        below =
            all_below(preconcurrent ? preconcurrent : before->below, holder, nholders, head.n);
    head.first = below ? below->n : 0;
    head.hash = XXH3_64bits_withSeed(holder, nholders * sizeof *holder,
                                     vm_fold(head.preconcurrent ^ vm_fold(symmetric)));
    struct vm_stable_ids *stable_ids = vm_stable_ids_new(&head);
    stable_ids->below = below;
    memset(stable_ids->at, 0, (stable_ids->n - stable_ids->first) * sizeof *stable_ids->at);
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k] && holder[k] >= head.first)
            stable_ids->at[holder[k] - head.first] = k;
    memcpy(stable_ids->at + (stable_ids->n - stable_ids->first), holder,
           nholders * sizeof *holder);
    return stable_ids;
}

void vm_stable_ids_valid(const struct vm_stable_ids *stable_ids)
{
    uint32_t nnames = 0, nheld = 0;
    assert(stable_ids->first == (stable_ids->below ? stable_ids->below->n : 0));
    for (uint32_t i = 0; i < stable_ids->n; i++) {
        uint32_t id = vm_stable_ids_at(stable_ids, i);
        nnames += id && id < VM_THREAD_IDS;
        assert(!id || id >= VM_THREAD_IDS || vm_stable_ids_holder(stable_ids, id) == i);
    }
    for (uint32_t k = 0; k < stable_ids->nholders; k++)
        nheld += vm_stable_ids_holder(stable_ids, k) != 0;
    assert(nnames == nheld);
}
