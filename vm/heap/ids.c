/* ids.c - see ids.h. */
#include "ids.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "memory.h"
#include "object.h"
#include "refs.h"

/* With more indexes than that, what there is goes to the list below. */
enum { MOST_ABOVE = 1024 };

struct vm_ids *vm_ids_new(uint32_t n)
{
    struct vm_ids *ids = vm_alloc(sizeof *ids + n * sizeof *ids->at);
    ids->refs = 1;
    ids->n = n;
    return ids;
}

struct vm_ids *vm_ids_copy(const struct vm_ids *ids)
{
    struct vm_ids *copy = vm_ids_new(ids->n);
    memcpy(copy->at, ids->at, ids->n * sizeof *ids->at);
    return copy;
}

bool vm_ids_alike(const struct vm_ids *ids, const struct vm_ids *other)
{
    return ids == other ||
           (ids->n == other->n && !memcmp(ids->at, other->at, ids->n * sizeof *ids->at));
}

struct vm_ids *vm_ids_retain(struct vm_ids *ids)
{
    if (ids)
        vm_ref_take(&ids->refs);
    return ids;
}

void vm_ids_release(struct vm_ids *ids)
{
    if (ids && vm_ref_drop(&ids->refs))
        free(ids);
}

/* ---- numbers ------------------------------------------------------------------------------
 */

size_t vm_numbers_room(const struct vm_numbers *head)
{
    return ((size_t)(head->n - head->first) + head->nholders) * sizeof *head->at;
}

struct vm_numbers *vm_numbers_new(const struct vm_numbers *head)
{
    struct vm_numbers *numbers = vm_alloc(sizeof *numbers + vm_numbers_room(head));
    *numbers = (struct vm_numbers){.first = head->first,
                                   .n = head->n,
                                   .old = head->old,
                                   .hash = head->hash,
                                   .twins = head->twins,
                                   .nholders = head->nholders};
    numbers->refs = 1;
    return numbers;
}

struct vm_numbers *vm_numbers_copy(const struct vm_numbers *numbers, struct vm_ids *below)
{
    struct vm_numbers *copy = vm_numbers_new(numbers);
    copy->below = below;
    memcpy(copy->at, numbers->at, vm_numbers_room(numbers));
    return copy;
}

bool vm_numbers_alike(const struct vm_numbers *numbers, const struct vm_numbers *other)
{
    return numbers == other ||
           (numbers->first == other->first && numbers->n == other->n &&
            numbers->old == other->old && numbers->hash == other->hash &&
            numbers->twins == other->twins && numbers->nholders == other->nholders &&
            !memcmp(numbers->at, other->at, vm_numbers_room(numbers)));
}

struct vm_numbers *vm_numbers_retain(struct vm_numbers *numbers)
{
    if (numbers)
        vm_ref_take(&numbers->refs);
    return numbers;
}

void vm_numbers_release(struct vm_numbers *numbers)
{
    if (!numbers || !vm_ref_drop(&numbers->refs))
        return;
    vm_ids_release(numbers->below);
    free(numbers);
}

/* A hash of ids by index, without those of what has a name now. */
static uint64_t forget_names(struct vm_ids *old, const uint32_t *holder, uint32_t nholders)
{
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k] < old->n)
            old->at[holder[k]] = 0;
    while (old->n && !old->at[old->n - 1])
        old->n--;
    return XXH3_64bits(old->at, old->n * sizeof *old->at) | 1;
}

/* Can what is below stay as it is? */
static bool is_above(const struct vm_numbers *before, const uint32_t *holder, uint32_t nholders,
                     uint32_t n)
{
    if (n > before->first + MOST_ABOVE)
        return false;
    for (uint32_t k = 0; k < nholders || k < before->nholders; k++) {
        uint32_t was = vm_numbers_holder(before, k), is = k < nholders ? holder[k] : 0;
        if (was != is && ((was && was < before->first) || (is && is < before->first)))
            return false;
    }
    return true;
}

/* All ids of indexes below n: the old ones, and names. */
static struct vm_ids *all_below(const struct vm_ids *old, const uint32_t *holder,
                                uint32_t nholders, uint32_t n)
{
    struct vm_ids *ids = vm_ids_new(n);
    memset(ids->at, 0, n * sizeof *ids->at);
    for (uint32_t i = 0; old && i < old->n; i++)
        if (old->at[i] >= VM_NAMES)
            ids->at[i] = old->at[i];
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k])
            ids->at[holder[k]] = k;
    return ids;
}

struct vm_numbers *vm_numbers_next(const struct vm_numbers *before, struct vm_ids *old,
                                   const uint32_t *holder, uint32_t nholders, uint64_t twins)
{
    static const struct vm_numbers none;
    struct vm_numbers head = {.twins = twins};
    struct vm_ids *below;
    before = before ? before : &none;
    while (nholders && !holder[nholders - 1])
        nholders--;
    head.nholders = nholders;
    head.old = old ? forget_names(old, holder, nholders) : before->old;
    head.n = old ? old->n : before->first;
    for (uint32_t k = 0; k < nholders; k++)
        head.n = holder[k] >= head.n ? holder[k] + 1 : head.n;
    if (!old && is_above(before, holder, nholders, head.n))
        below = vm_ids_retain(before->below);
    else
        below = all_below(old ? old : before->below, holder, nholders, head.n);
    head.first = below ? below->n : 0;
    head.hash = XXH3_64bits_withSeed(holder, nholders * sizeof *holder,
                                     vm_fold(head.old ^ vm_fold(twins)));
    struct vm_numbers *numbers = vm_numbers_new(&head);
    numbers->below = below;
    memset(numbers->at, 0, (numbers->n - numbers->first) * sizeof *numbers->at);
    for (uint32_t k = 0; k < nholders; k++)
        if (holder[k] && holder[k] >= head.first)
            numbers->at[holder[k] - head.first] = k;
    memcpy(numbers->at + (numbers->n - numbers->first), holder, nholders * sizeof *holder);
    return numbers;
}

void vm_numbers_valid(const struct vm_numbers *numbers)
{
    uint32_t nnames = 0, nheld = 0;
    assert(numbers->first == (numbers->below ? numbers->below->n : 0));
    for (uint32_t i = 0; i < numbers->n; i++) {
        uint32_t id = vm_numbers_at(numbers, i);
        nnames += id && id < VM_NAMES;
        assert(!id || id >= VM_NAMES || vm_numbers_holder(numbers, id) == i);
    }
    for (uint32_t k = 0; k < numbers->nholders; k++)
        nheld += vm_numbers_holder(numbers, k) != 0;
    assert(nnames == nheld);
}
