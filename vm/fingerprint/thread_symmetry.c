/* thread_symmetry.c - see thread_symmetry.h. */
#include "thread_symmetry.h"

#include <assert.h>
#include <string.h>

#include "vm/heap/heap.h"

/* An object of a symmetric thread, while it is hashed. */
struct object_form {
    const struct vm_inchash *inchash;
    unsigned tid;
    uint64_t term[2], own[2]; /* in the heap's sum, and without its number */
    bool whole;
};

/* Bits above all ids: for an object of the same thread, and for one of another symmetric thread
 * or one that is not stable. */
static const uint64_t OWN = (uint64_t)1 << 33, ELSEWHERE = (uint64_t)1 << 34;

static inline void push_id(void *context, uint64_t p)
{
    struct object_form *object_form = context;
    uint64_t id = vm_stable_id(object_form->inchash, p);
    unsigned tid = vm_symmetric_thread(object_form->inchash, id);
    bool known = id && (!tid || tid == object_form->tid);
    object_form->whole &= known;
    vm_term_mix(object_form->term, id);
    vm_term_mix(object_form->own, !known ? ELSEWHERE : tid ? OWN | vm_thread_place(id) : id);
}

static struct vm_symmetry_term take_term(const struct vm_inchash *inchash, unsigned tid,
                                         uint64_t id, const struct vm_obj *o)
{
    uint64_t hash = o->hash - vm_fold(vm_obj_tid(o));
    struct object_form object_form = {inchash, tid, {o->hash, ~o->hash}, {hash, ~hash}, true};
    vm_term_mix(object_form.term, id);
    vm_term_mix(object_form.own, vm_thread_place(id));
    if (o->edges)
        vm_obj_each_edge(o, push_id, &object_form);
    vm_term_mix(object_form.term, o->hash);
    vm_term_mix(object_form.own, hash);
    struct vm_symmetry_term term = {.form = {object_form.own[0], object_form.own[1]}};
    for (unsigned i = 0; i < 2; i++)
        term.sum[i] = object_form.whole ? object_form.term[i] : 0;
    return term;
}

static const struct vm_symmetry_term *term_of(struct vm_symmetry_terms *terms,
                                              const struct vm_inchash *inchash, unsigned tid,
                                              uint64_t id, const struct vm_obj *o)
{
    uint64_t tag = vm_fold(o->key ^ vm_fold(id ^ inchash->stable_ids->hash));
    struct vm_symmetry_term *term = &terms->at[tag % VM_SYMMETRY_TERMS];
    if (term->tag != tag) {
        *term = take_term(inchash, tid, id, o);
        term->tag = tag;
    }
#ifdef DIVM_DEBUG
    struct vm_symmetry_term now = take_term(inchash, tid, id, o);
    now.tag = tag;
    assert(!memcmp(&now, term, sizeof now));
#endif
    return term;
}

/* Adds a term; sign: 1, or -1 to take it away. */
static void add(struct vm_symmetry *symmetry, unsigned tid, const struct vm_symmetry_term *term,
                uint64_t sign)
{
    for (unsigned i = 0; i < 2; i++) {
        symmetry->sum[i] += sign * term->sum[i];
        symmetry->colour[tid][i] += sign * term->form[i];
    }
}

static void add_thread(struct vm_symmetry *symmetry, struct vm_symmetry_terms *terms,
                       const struct vm_heap *h, unsigned tid)
{
    const struct vm_inchash *inchash = &h->inchash;
    const struct vm_table *heap = &h->table[VM_ID_HEAP], *frames = &h->table[VM_ID_FRAME];
    symmetry->colour[tid][0] = symmetry->colour[tid][1] = 0;
    for (unsigned id = 2 * tid; id < 2 * tid + 2; id++) {
        uint32_t i = vm_stable_ids_holder(inchash->stable_ids, id);
        if (i && i < heap->n && heap->obj[i])
            add(symmetry, tid, term_of(terms, inchash, tid, id, heap->obj[i]), 1);
    }
    for (uint32_t deeper = 0; deeper < VM_HOMES; deeper += VM_DEEPER)
        for (uint32_t k = 0; k < VM_BLOCK; k++) {
            uint32_t i = deeper + tid * VM_BLOCK + k;
            uint64_t id = vm_ptr_id(vm_ptr(VM_ID_FRAME, i, 0));
            if (i < frames->n && frames->obj[i])
                add(symmetry, tid, term_of(terms, inchash, tid, id, frames->obj[i]), 1);
        }
}

/* Sorts by colours.  Threads that have ended come last, so that they do not influence the ranks
 * of the others. */
static bool comes_before(const struct vm_symmetry *symmetry, unsigned one, unsigned other)
{
    const uint64_t *a = symmetry->colour[one], *b = symmetry->colour[other];
    bool is_there = symmetry->there >> one & 1;
    if (is_there != (symmetry->there >> other & 1))
        return is_there;
    return a[0] != b[0] ? a[0] < b[0] : a[1] < b[1];
}

void vm_symmetry_rank_all(struct vm_symmetry *symmetry, uint64_t mask)
{
    uint8_t *order = symmetry->order;
    unsigned n = 0;
    symmetry->tied = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned tid = (unsigned)__builtin_ctzll(left), k = n++;
        for (; k && comes_before(symmetry, tid, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = (uint8_t)tid;
    }
    for (unsigned k = 0; k < n; k++) {
        symmetry->rank[order[k]] = symmetry->cell[order[k]] = (uint8_t)(k + 1);
        if (!k || comes_before(symmetry, order[k - 1], order[k]))
            continue;
        symmetry->cell[order[k]] = symmetry->cell[order[k - 1]];
        symmetry->tied |= (uint64_t)1 << order[k] | (uint64_t)1 << order[k - 1];
    }
    symmetry->n = n;
}

void vm_symmetry_colour(struct vm_symmetry *symmetry)
{
    assert(symmetry->n && !symmetry->coloured);
    symmetry->coloured = true;
    memset(symmetry->asked, 0, sizeof symmetry->asked);
}

void vm_symmetry_find(struct vm_symmetry *symmetry, struct vm_symmetry_terms *terms,
                      const struct vm_heap *h)
{
    const struct vm_stable_ids *stable_ids = h->inchash.stable_ids;
    assert(h->summed && stable_ids && stable_ids->symmetric && !h->inchash.nraw &&
           !h->readset.recording);
    symmetry->sum[0] = symmetry->sum[1] = 0;
    for (uint64_t left = stable_ids->symmetric; left; left &= left - 1)
        add_thread(symmetry, terms, h, (unsigned)__builtin_ctzll(left));
}

void vm_symmetry_copy(struct vm_symmetry *symmetry, const struct vm_symmetry *from,
                      uint64_t mask)
{
    memcpy(symmetry->sum, from->sum, sizeof symmetry->sum);
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned tid = (unsigned)__builtin_ctzll(left);
        memcpy(symmetry->colour[tid], from->colour[tid], sizeof symmetry->colour[tid]);
    }
}

void vm_symmetry_change(struct vm_symmetry *symmetry, struct vm_symmetry_terms *terms,
                        const struct vm_heap *h, uint64_t p, const struct vm_obj *o)
{
    const struct vm_inchash *inchash = &h->inchash;
    uint64_t id = vm_stable_id(inchash, p);
    unsigned tid = vm_symmetric_thread(inchash, id);
    const struct vm_obj *was = tid ? vm_heap_peek(h, p) : NULL;
    if (was)
        add(symmetry, tid, term_of(terms, inchash, tid, id, was), (uint64_t)-1);
    if (tid && o)
        add(symmetry, tid, term_of(terms, inchash, tid, id, o), 1);
}

void vm_symmetry_sort(struct vm_symmetry *symmetry, uint64_t mask)
{
    uint64_t form[VM_MAX_SYMMETRIC][2];
    memset(symmetry->rank, 0, sizeof symmetry->rank);
    memset(symmetry->cell, 0, sizeof symmetry->cell);
    symmetry->coloured = false;
    symmetry->self = 0;
    symmetry->there = 0;
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned tid = (unsigned)__builtin_ctzll(left);
        if (symmetry->colour[tid][0] | symmetry->colour[tid][1])
            symmetry->there |= (uint64_t)1 << tid;
    }
    vm_symmetry_rank_all(symmetry, mask);
    for (uint64_t left = mask; left; left &= left - 1) {
        unsigned tid = (unsigned)__builtin_ctzll(left);
        memcpy(form[symmetry->rank[tid] - 1], symmetry->colour[tid], sizeof form[0]);
    }
    symmetry->form[0] = symmetry->form[1] = 0;
    unsigned n = (unsigned)__builtin_popcountll(symmetry->there);
    for (unsigned k = 0; k < n; k++) {
        vm_term_mix(symmetry->form, form[k][0]);
        vm_term_mix(symmetry->form, form[k][1]);
    }
}
