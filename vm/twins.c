/* twins.c - see twins.h. */
#include "twins.h"

#include <string.h>

#include "heap.h"

/* The objects of a twin, added up: their terms in the heap's sum, and without its number. */
struct look {
    const struct vm_settled *settled;
    unsigned twin;
    uint64_t term[2], own[2]; /* of the present object */
    bool whole;
    uint64_t sum[2], form[2];
};

/* Ids are below: for an object of its own, and for one of another twin or one that is not
 * settled. */
static const uint64_t OWN = (uint64_t)1 << 33, ELSEWHERE = (uint64_t)1 << 34;

static inline void push_id(void *context, uint64_t p)
{
    struct look *look = context;
    uint64_t id = vm_settled_id(look->settled, p);
    unsigned twin = vm_twin_of(look->settled, id);
    bool known = id && (!twin || twin == look->twin);
    look->whole &= known;
    vm_term_mix(look->term, id);
    vm_term_mix(look->own, !known ? ELSEWHERE : twin ? OWN | vm_twin_place(id) : id);
}

static void look_at(struct look *look, uint64_t id, const struct vm_obj *o)
{
    uint64_t hash = o->hash - vm_fold(vm_obj_tid(o));
    look->term[0] = o->hash;
    look->term[1] = ~o->hash;
    look->own[0] = hash;
    look->own[1] = ~hash;
    look->whole = true;
    vm_term_mix(look->term, id);
    vm_term_mix(look->own, vm_twin_place(id));
    if (o->edges)
        vm_obj_each_edge(o, push_id, look);
    vm_term_mix(look->term, o->hash);
    vm_term_mix(look->own, hash);
    for (unsigned i = 0; i < 2; i++) {
        look->sum[i] += look->whole ? look->term[i] : 0;
        look->form[i] += look->own[i];
    }
}

static void find_holders(struct vm_twins *twins, const struct vm_ids *numbers)
{
    if (twins->ids == numbers->hash)
        return;
    memset(twins->holder, 0, sizeof twins->holder);
    for (uint32_t i = 0; i < numbers->n; i++)
        if (numbers->at[i] < 2 * VM_TWINS)
            twins->holder[numbers->at[i]] = i;
    twins->ids = numbers->hash;
}

static struct look look_at_twin(const struct vm_twins *twins, const struct vm_heap *h,
                                unsigned twin)
{
    struct look look = {.settled = &h->settled, .twin = twin};
    const struct vm_table *heap = &h->table[VM_ID_HEAP], *frames = &h->table[VM_ID_FRAME];
    for (unsigned k = 0; k < 2; k++) {
        uint32_t i = twins->holder[2 * twin + k];
        if (i && i < heap->n && heap->obj[i])
            look_at(&look, 2 * twin + k, heap->obj[i]);
    }
    for (uint32_t deeper = 0; deeper < VM_HOMES; deeper += VM_DEEPER)
        for (uint32_t k = 0; k < VM_BLOCK; k++) {
            uint32_t i = deeper + twin * VM_BLOCK + k;
            if (i < frames->n && frames->obj[i])
                look_at(&look, vm_ptr_id(vm_ptr(VM_ID_FRAME, i, 0)), frames->obj[i]);
        }
    return look;
}

static bool comes_before(const uint64_t a[2], const uint64_t b[2])
{
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

void vm_twins_rank(struct vm_twins *twins, uint64_t mask)
{
    uint8_t order[VM_TWINS];
    unsigned n = 0;
    twins->tied = twins->named = 0;
    twins->coloured = false;
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left), k = n++;
        for (; k && comes_before(twins->colour[twin], twins->colour[order[k - 1]]); k--)
            order[k] = order[k - 1];
        order[k] = (uint8_t)twin;
    }
    for (unsigned k = 0; k < n; k++) {
        twins->rank[order[k]] = (uint8_t)(k + 1);
        if (k && !comes_before(twins->colour[order[k - 1]], twins->colour[order[k]]))
            twins->tied |= (uint64_t)1 << order[k] | (uint64_t)1 << order[k - 1];
    }
    twins->n = n;
}

void vm_twins_colour(struct vm_twins *twins)
{
    twins->coloured = true;
    memset(twins->asked, 0, sizeof twins->asked);
}

void vm_twins_find(struct vm_twins *twins, const struct vm_heap *h)
{
    const struct vm_ids *numbers = h->settled.numbers;
    find_holders(twins, numbers);
    memset(twins->rank, 0, sizeof twins->rank);
    twins->sum[0] = twins->sum[1] = 0;
    for (uint64_t left = numbers->twins; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        struct look look = look_at_twin(twins, h, twin);
        for (unsigned i = 0; i < 2; i++) {
            twins->sum[i] += look.sum[i];
            twins->colour[twin][i] = look.form[i];
        }
    }
    vm_twins_rank(twins, numbers->twins);
    uint64_t form[VM_TWINS][2];
    for (uint64_t left = numbers->twins; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        memcpy(form[twins->rank[twin] - 1], twins->colour[twin], sizeof form[0]);
    }
    twins->form[0] = twins->form[1] = 0;
    for (unsigned k = 0; k < twins->n; k++) {
        vm_term_mix(twins->form, form[k][0]);
        vm_term_mix(twins->form, form[k][1]);
    }
}
