/* twins.c - see twins.h. */
#include "twins.h"

#include <assert.h>
#include <string.h>

#include "vm/heap/heap.h"

/* An object of a twin's. */
struct look {
    const struct vm_settled *settled;
    unsigned twin;
    uint64_t term[2], own[2]; /* in the heap's sum, and without its number */
    bool whole;
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

static struct vm_twin_term take_term(const struct vm_settled *settled, unsigned twin,
                                     uint64_t id, const struct vm_obj *o)
{
    uint64_t hash = o->hash - vm_fold(vm_obj_tid(o));
    struct look look = {settled, twin, {o->hash, ~o->hash}, {hash, ~hash}, true};
    vm_term_mix(look.term, id);
    vm_term_mix(look.own, vm_twin_place(id));
    if (o->edges)
        vm_obj_each_edge(o, push_id, &look);
    vm_term_mix(look.term, o->hash);
    vm_term_mix(look.own, hash);
    struct vm_twin_term term = {.form = {look.own[0], look.own[1]}};
    for (unsigned i = 0; i < 2; i++)
        term.sum[i] = look.whole ? look.term[i] : 0;
    return term;
}

static const struct vm_twin_term *term_of(struct vm_twin_terms *terms,
                                          const struct vm_settled *settled, unsigned twin,
                                          uint64_t id, const struct vm_obj *o)
{
    uint64_t tag = vm_fold(o->key ^ vm_fold(id ^ settled->numbers->hash));
    struct vm_twin_term *term = &terms->at[tag % VM_TWIN_TERMS];
    if (term->tag != tag) {
        *term = take_term(settled, twin, id, o);
        term->tag = tag;
    }
#ifdef DIVM_DEBUG
    struct vm_twin_term now = take_term(settled, twin, id, o);
    now.tag = tag;
    assert(!memcmp(&now, term, sizeof now));
#endif
    return term;
}

/* sign: 1, or -1 to take it away. */
static void add(struct vm_twins *twins, unsigned twin, const struct vm_twin_term *term,
                uint64_t sign)
{
    for (unsigned i = 0; i < 2; i++) {
        twins->sum[i] += sign * term->sum[i];
        twins->colour[twin][i] += sign * term->form[i];
    }
}

static void add_twin(struct vm_twins *twins, struct vm_twin_terms *terms,
                     const struct vm_heap *h, unsigned twin)
{
    const struct vm_settled *settled = &h->settled;
    const struct vm_table *heap = &h->table[VM_ID_HEAP], *frames = &h->table[VM_ID_FRAME];
    twins->colour[twin][0] = twins->colour[twin][1] = 0;
    for (unsigned id = 2 * twin; id < 2 * twin + 2; id++) {
        uint32_t i = vm_numbers_holder(settled->numbers, id);
        if (i && i < heap->n && heap->obj[i])
            add(twins, twin, term_of(terms, settled, twin, id, heap->obj[i]), 1);
    }
    for (uint32_t deeper = 0; deeper < VM_HOMES; deeper += VM_DEEPER)
        for (uint32_t k = 0; k < VM_BLOCK; k++) {
            uint32_t i = deeper + twin * VM_BLOCK + k;
            uint64_t id = vm_ptr_id(vm_ptr(VM_ID_FRAME, i, 0));
            if (i < frames->n && frames->obj[i])
                add(twins, twin, term_of(terms, settled, twin, id, frames->obj[i]), 1);
        }
}

/* By colours; those that have ended come last, so that these have no influence on the ranks of
 * the others. */
static bool comes_before(const struct vm_twins *twins, unsigned one, unsigned other)
{
    const uint64_t *a = twins->colour[one], *b = twins->colour[other];
    bool is_there = twins->there >> one & 1;
    if (is_there != (twins->there >> other & 1))
        return is_there;
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

void vm_twins_rank(struct vm_twins *twins, uint64_t mask)
{
    uint8_t *order = twins->order;
    unsigned n = 0;
    twins->tied = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left), k = n++;
        for (; k && comes_before(twins, twin, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = (uint8_t)twin;
    }
    for (unsigned k = 0; k < n; k++) {
        twins->rank[order[k]] = twins->cell[order[k]] = (uint8_t)(k + 1);
        if (!k || comes_before(twins, order[k - 1], order[k]))
            continue;
        twins->cell[order[k]] = twins->cell[order[k - 1]];
        twins->tied |= (uint64_t)1 << order[k] | (uint64_t)1 << order[k - 1];
    }
    twins->n = n;
}

void vm_twins_colour(struct vm_twins *twins)
{
    twins->coloured = true;
    memset(twins->asked, 0, sizeof twins->asked);
}

void vm_twins_find(struct vm_twins *twins, struct vm_twin_terms *terms, const struct vm_heap *h)
{
    const struct vm_numbers *numbers = h->settled.numbers;
    twins->sum[0] = twins->sum[1] = 0;
    for (uint64_t left = numbers->twins; left; left &= left - 1)
        add_twin(twins, terms, h, (unsigned)__builtin_ctzll(left));
}

void vm_twins_copy(struct vm_twins *twins, const struct vm_twins *from, uint64_t mask)
{
    memcpy(twins->sum, from->sum, sizeof twins->sum);
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        memcpy(twins->colour[twin], from->colour[twin], sizeof twins->colour[twin]);
    }
}

void vm_twins_change(struct vm_twins *twins, struct vm_twin_terms *terms,
                     const struct vm_heap *h, uint64_t p, const struct vm_obj *o)
{
    const struct vm_settled *settled = &h->settled;
    uint64_t id = vm_settled_id(settled, p);
    unsigned twin = vm_twin_of(settled, id);
    const struct vm_obj *was = twin ? vm_heap_look(h, p) : NULL;
    if (was)
        add(twins, twin, term_of(terms, settled, twin, id, was), (uint64_t)-1);
    if (twin && o)
        add(twins, twin, term_of(terms, settled, twin, id, o), 1);
}

void vm_twins_sort(struct vm_twins *twins, uint64_t mask)
{
    uint64_t form[VM_TWINS][2];
    memset(twins->rank, 0, sizeof twins->rank);
    memset(twins->cell, 0, sizeof twins->cell);
    twins->coloured = false;
    twins->self = 0;
    twins->there = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        if (twins->colour[twin][0] | twins->colour[twin][1])
            twins->there |= (uint64_t)1 << twin;
    }
    vm_twins_rank(twins, mask);
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned twin = (unsigned)__builtin_ctzll(left);
        memcpy(form[twins->rank[twin] - 1], twins->colour[twin], sizeof form[0]);
    }
    twins->form[0] = twins->form[1] = 0;
    unsigned n = (unsigned)__builtin_popcountll(twins->there);
    for (unsigned k = 0; k < n; k++) {
        vm_term_mix(twins->form, form[k][0]);
        vm_term_mix(twins->form, form[k][1]);
    }
}
