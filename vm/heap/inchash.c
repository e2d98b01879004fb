/* inchash.c - see inchash.h. */
#include "inchash.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

void vm_inchash_retain(const struct vm_inchash *s)
{
    vm_id_list_retain(s->frontier);
    vm_stable_ids_retain(s->stable_ids);
}

void vm_inchash_release(struct vm_inchash *s)
{
    vm_id_list_release(s->frontier);
    vm_stable_ids_release(s->stable_ids);
    *s = (struct vm_inchash){0};
}

/* Copies a hash.  Most states have the lists of the state before, whose counts are left alone
 * then. */
void vm_inchash_set(struct vm_inchash *s, const struct vm_inchash *from)
{
    if (s->frontier != from->frontier) {
        vm_id_list_retain(from->frontier);
        vm_id_list_release(s->frontier);
    }
    if (s->stable_ids != from->stable_ids) {
        vm_stable_ids_retain(from->stable_ids);
        vm_stable_ids_release(s->stable_ids);
    }
    *s = *from;
}

/* ---- terms ----------------------------------------------------------------------- */

/* Two hashes of an object: of its id, its own hash, and the ids that its own hash leaves
 * out. */
struct form {
    const struct vm_inchash *inchash;
    uint64_t at[2];
    bool whole;   /* no id is missing: it does not belong to the frontier */
    unsigned tid; /* the thread whose object it is, or 0; other symmetric threads' ids may be
                   * missing */
};

static inline void push_id(void *form, uint64_t p)
{
    struct form *f = form;
    uint64_t id = vm_stable_id(f->inchash, p);
    unsigned tid = vm_symmetric_thread(f->inchash, id);
    vm_term_mix(f->at, id);
    f->whole &= id != 0 && (!tid || tid == f->tid);
}

/* Adds a word of an object whose term is a sum over words. */
static inline void add_word(struct form *f, uint64_t id, const struct vm_obj *o, uint32_t w,
                            uint64_t times)
{
    uint64_t v = o->data[w], shadow = vm_obj_shadow((struct vm_obj *)o)[w];
    if (vm_obj_is_edge((uint16_t)shadow, v)) {
        uint64_t to = vm_stable_id(f->inchash, v);
        f->whole &= to && !vm_symmetric_thread(f->inchash, to);
        v = to << 32 | (uint32_t)v;
    }
    uint64_t x = vm_fold(v ^ vm_fold(id << 32 | w));
    f->at[0] += times * vm_fold(x + shadow);
    f->at[1] += times * vm_fold(x ^ ~shadow << 32);
}

static struct form describe_words(const struct vm_inchash *s, uint64_t id,
                                  const struct vm_obj *o)
{
    uint64_t head = (uint64_t)o->size << 16 | (uint64_t)o->kind << 8 | (o->flags & VM_SHARED);
    struct form f = {.inchash = s, .at = {head, ~head}, .whole = true};
    vm_term_mix(f.at, id);
    for (uint32_t w = 0; w < vm_obj_words(o); w++)
        add_word(&f, id, o, w, 1);
    return f;
}

static inline struct form describe(const struct vm_inchash *s, uint64_t p,
                                   const struct vm_obj *o)
{
    uint64_t id = vm_stable_id(s, p);
    if (vm_inchash_by_words(id, o))
        return describe_words(s, id, o);
    struct form f = {s, {o->hash, ~o->hash}, true, vm_symmetric_thread(s, id)};
    vm_term_mix(f.at, id);
    if (o->edges)
        vm_obj_each_edge(o, push_id, &f);
    if (o->kind == VM_OBJ_STACK)
        push_id(&f, vm_ptr(VM_ID_FRAME, vm_obj_owner(o), 0));
    vm_term_mix(f.at, o->hash);
    return f;
}

static void add_term(uint64_t sum[2], const struct form *f, uint64_t times)
{
    sum[0] += times * f->at[0];
    sum[1] += times * f->at[1];
}

bool vm_inchash_add(const struct vm_inchash *s, uint64_t p, const struct vm_obj *o, int sign,
                    uint64_t sum[2])
{
    if (!vm_stable_id(s, p))
        return true;
    struct form f = describe(s, p, o);
    if (f.whole)
        add_term(sum, &f, (uint64_t)(int64_t)sign);
    return f.whole;
}

/* Adds (1) or takes away (-1) the term of an object with a valid hash.  True if the object
 * belongs to the frontier. */
static bool count(struct vm_inchash *s, uint64_t p, const struct vm_obj *o, int sign)
{
    uint64_t times = (uint64_t)(int64_t)sign;
    s->nraw += (o->flags & VM_RAW ? 1u : 0u) * (uint32_t)sign;
    if (vm_obj_is_heap(o))
        s->leak_sum += times * vm_leak_term(o);
    struct form f = describe(s, p, o);
    if (f.whole)
        add_term(s->sum, &f, times);
    return !f.whole;
}

/* ---- the frontier ---------------------------------------------------------------- */

/* Objects that join the frontier or leave it. */
struct toggles {
    uint32_t few[32], *at;
    size_t n, max;
};

static void toggle(struct toggles *t, uint64_t p)
{
    if (t->n == t->max) {
        uint32_t *more = vm_alloc(2 * t->max * sizeof *more);
        memcpy(more, t->at, t->n * sizeof *more);
        if (t->at != t->few)
            free(t->at);
        t->at = more;
        t->max *= 2;
    }
    t->at[t->n++] = vm_ptr_id(p);
}

static uint64_t id_of(const struct vm_inchash *s, uint32_t upper)
{
    return vm_stable_id(s, (uint64_t)upper << 32);
}

/* Sorts by ids; each is there once. */
static void sort(const struct vm_inchash *s, struct toggles *t)
{
    for (size_t gap = t->n / 2; gap; gap /= 2)
        for (size_t k = gap; k < t->n; k++) {
            uint32_t x = t->at[k];
            size_t j = k;
            for (; j >= gap && id_of(s, t->at[j - gap]) > id_of(s, x); j -= gap)
                t->at[j] = t->at[j - gap];
            t->at[j] = x;
        }
}

/* The frontier after toggling: an object of t leaves the frontier if it was in it, and joins it
 * if not. */
static struct vm_id_list *toggled(const struct vm_inchash *s, const struct toggles *t)
{
    const struct vm_id_list *old = s->frontier;
    uint32_t nold = old ? old->n : 0;
    size_t j = 0;
    struct vm_id_list *made = vm_id_list_new(nold + (uint32_t)t->n);
    made->n = 0;
    for (uint32_t k = 0; k < nold || j < t->n;) {
        if (j == t->n || (k < nold && id_of(s, old->at[k]) < id_of(s, t->at[j])))
            made->at[made->n++] = old->at[k++];
        else if (k < nold && old->at[k] == t->at[j])
            k++, j++;
        else
            made->at[made->n++] = t->at[j++];
    }
    return made;
}

/* Toggles the objects and drops their list. */
static void change_frontier(struct vm_inchash *s, struct toggles *t)
{
    if (!t->n)
        return;
    sort(s, t);
    struct vm_id_list *made = toggled(s, t);
    vm_id_list_release(s->frontier);
    s->frontier = made;
    if (t->at != t->few)
        free(t->at);
}

bool vm_inchash_in_frontier(const struct vm_inchash *s, uint64_t p)
{
    for (uint32_t k = 0; s->frontier && k < s->frontier->n; k++)
        if (s->frontier->at[k] == vm_ptr_id(p))
            return true;
    return false;
}

/* ---- keeping the sum ------------------------------------------------------------- */

/* Returns the object at p if it is stable.  An object in pages is not: its pages are. */
static struct vm_obj *stable_at(const struct vm_heap *h, const struct vm_inchash *s, uint64_t p)
{
    struct vm_obj *o = vm_table_of((struct vm_heap *)h, vm_ptr_region(p))->obj[vm_ptr_index(p)];
    return o && !(o->flags & VM_PAGED) && vm_stable_id(s, p) ? o : NULL;
}

/* Adds an object that the sum has not met.  An object without a hash may be another machine's,
 * too: it gets its hash in a copy. */
static void take_in(struct vm_heap *h, uint64_t p, struct vm_obj *o, struct toggles *frontier)
{
    if (!(o->flags & VM_HASHED) && vm_ptr_region(p) <= VM_ID_FRAME)
        o = vm_heap_own(h, p, o);
    vm_heap_hash(h, o);
    if (count(&h->inchash, p, o, 1))
        toggle(frontier, p);
}

/* Sums up all stable objects. */
static void sum_all(struct vm_heap *h)
{
    struct vm_inchash *s = &h->inchash;
    struct vm_inchash ids = {
        .stable_ids = s->stable_ids, .nstable = s->nstable, .preconcurrent = s->preconcurrent};
    vm_stable_ids_retain(ids.stable_ids);
    vm_inchash_release(s);
    *s = ids;
    struct toggles frontier = {.at = frontier.few,
                               .max = sizeof frontier.few / sizeof *frontier.few};
    for (unsigned r = 0; r < VM_REGIONS; r++)
        for (uint32_t i = 0; i < vm_table_of(h, r)->n; i++) {
            uint64_t p = vm_ptr(r, i, 0);
            struct vm_obj *o = stable_at(h, s, p);
            if (o)
                take_in(h, p, o, &frontier);
        }
    change_frontier(s, &frontier);
}

/* Was the index met before in this update? */
static bool again(struct vm_heap *h, struct vm_table *t, uint32_t index)
{
    bool met = t->summed[index] == h->nsums;
    t->summed[index] = h->nsums;
    return met;
}

/* Updates the sum by the words of an object that have changed; false if it leads somewhere, or
 * if too many have. */
static bool count_words(struct vm_inchash *s, uint64_t p, const struct vm_obj *old,
                        const struct vm_obj *now)
{
    uint64_t id = vm_stable_id(s, p);
    if (!old || !now || old->size != now->size || !vm_inchash_by_words(id, old) ||
        !vm_inchash_by_words(id, now) || (old->flags ^ now->flags) & VM_SHARED ||
        (old->flags | now->flags) & VM_RAW || old->edges || now->edges || vm_obj_is_heap(now))
        return false;
    struct form f = {.inchash = s, .at = {0, 0}};
    const uint16_t *was = vm_obj_shadow((struct vm_obj *)old);
    const uint16_t *is = vm_obj_shadow((struct vm_obj *)now);
    for (uint32_t w = 0; w < vm_obj_words(now); w++)
        if (old->data[w] != now->data[w] || was[w] != is[w]) {
            add_word(&f, id, old, w, (uint64_t)-1);
            add_word(&f, id, now, w, 1);
        }
    add_term(s->sum, &f, 1);
    return true;
}

static void sum_changes(struct vm_heap *h)
{
    struct vm_inchash *s = &h->inchash;
    struct toggles frontier = {.at = frontier.few,
                               .max = sizeof frontier.few / sizeof *frontier.few};
    for (size_t k = h->nsummed; k < h->nlog; k++) {
        const struct vm_undo *u = &h->log[k];
        uint64_t p = vm_ptr(u->region, u->index, 0);
        struct vm_obj *now = vm_table_of(h, u->region)->obj[u->index];
        if (!vm_stable_id(s, p)) {
            s->visited &= now == u->old;
            continue;
        }
        if (again(h, vm_table_of(h, u->region), u->index) || now == u->old)
            continue;
        bool was = false, is = false;
        assert(!u->old || u->old->flags & VM_HASHED);
        if (now)
            vm_heap_hash(h, now);
        if (count_words(s, p, u->old, now))
            continue;
        if (u->old)
            was = count(s, p, u->old, -1);
        if (now)
            is = count(s, p, now, 1);
        if (was || is)
            s->visited = false;
        if (was != is)
            toggle(&frontier, p);
    }
    change_frontier(s, &frontier);
}

void vm_inchash_update(struct vm_heap *h)
{
    assert(!h->readset.recording);
    if (h->exact || vm_heap_is_summed(h))
        return;
    h->nsums++;
    vm_pages_make(h);
    if (h->summed && !h->sums_all)
        sum_changes(h);
    else
        sum_all(h);
    h->summed = true;
    h->nsummed = h->nlog;
}

/* ---- ids ------------------------------------------------------------------------- */

static bool keeps_ids(const struct vm_stable_ids *before,
                      const struct vm_stable_ids *stable_ids)
{
    for (uint32_t k = 0; k < before->nholders; k++) {
        uint32_t i = vm_stable_ids_holder(before, k);
        if (i && vm_stable_ids_holder(stable_ids, k) != i)
            return false;
    }
    return before->preconcurrent == stable_ids->preconcurrent;
}

/* Gives ids to more objects: the objects that lead to them were in the frontier until now. */
static void extend(struct vm_heap *h, const struct vm_stable_ids *before)
{
    struct vm_inchash *s = &h->inchash;
    struct toggles frontier = {.at = frontier.few,
                               .max = sizeof frontier.few / sizeof *frontier.few};
    s->visited = false;
    for (uint32_t k = 0; s->frontier && k < s->frontier->n; k++) {
        uint64_t p = (uint64_t)s->frontier->at[k] << 32;
        struct form f = describe(s, p, stable_at(h, s, p));
        if (f.whole) {
            add_term(s->sum, &f, 1);
            toggle(&frontier, p);
        }
    }
    for (uint32_t k = 0; k < s->stable_ids->nholders; k++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, vm_stable_ids_holder(s->stable_ids, k), 0);
        struct vm_obj *o = stable_at(h, s, p);
        if (o && !vm_stable_ids_holder(before, k))
            take_in(h, p, o, &frontier);
    }
    change_frontier(s, &frontier);
    h->nsummed = h->nlog;
}

/* The ids on which an object's term depends, before and after a change. */
struct view {
    const struct vm_inchash *was, *is;
    bool same; /* its ids are, and nothing in it is a symmetric thread's */
};

static inline void compare_id(void *context, uint64_t p)
{
    struct view *view = context;
    uint64_t id = vm_stable_id(view->is, p);
    view->same &= id == vm_stable_id(view->was, p) && !vm_symmetric_thread(view->was, id) &&
                  !vm_symmetric_thread(view->is, id);
}

static bool is_same(const struct vm_inchash *was, const struct vm_inchash *is, uint64_t p,
                    const struct vm_obj *o)
{
    struct view view = {was, is, true};
    compare_id(&view, p);
    if (view.same && o->edges)
        vm_obj_each_edge(o, compare_id, &view);
    if (view.same && o->kind == VM_OBJ_STACK)
        compare_id(&view, vm_ptr(VM_ID_FRAME, vm_obj_owner(o), 0));
    return view.same;
}

/* A change of ids and symmetric threads. */
struct renaming {
    struct vm_heap *heap;
    struct vm_inchash was; /* the ids as they were, and a sum of terms that are gone */
    struct toggles frontier;
};

static void rename_in(struct renaming *r, unsigned region, uint32_t index)
{
    struct vm_heap *h = r->heap;
    struct vm_inchash *s = &h->inchash;
    uint64_t p = vm_ptr(region, index, 0);
    struct vm_obj *o = stable_at(h, s, p);
    if (!o || again(h, vm_table_of(h, region), index) || is_same(&r->was, s, p, o))
        return;
    bool met = vm_stable_id(&r->was, p);
    bool left = met && count(&r->was, p, o, -1);
    if (!met)
        take_in(h, p, o, &r->frontier);
    else if (count(s, p, o, 1) != left)
        toggle(&r->frontier, p);
}

/* Renames in the objects of threads, and in pre-concurrent objects that point to them: in the
 * base snapshot, and in the changes to it. */
static void rename_in_heap(struct renaming *r)
{
    struct vm_heap *h = r->heap;
    const struct vm_stable_ids *stable_ids = h->inchash.stable_ids;
    for (uint32_t k = 0; k < stable_ids->nholders; k++)
        rename_in(r, VM_ID_HEAP, vm_stable_ids_holder(stable_ids, k));
    for (size_t k = 0; k < h->nlog; k++)
        if (h->log[k].region == VM_ID_HEAP)
            rename_in(r, VM_ID_HEAP, h->log[k].index);
    if (!stable_ids->preconcurrent)
        return;
    vm_thread_refs_update(h);
    for (uint32_t k = 0; k < h->thread_refs.nwords; k++)
        for (uint64_t bits = h->thread_refs.bits[k]; bits; bits &= bits - 1) {
            uint32_t i = k * 64 + (uint32_t)__builtin_ctzll(bits);
            if (i < h->table[VM_ID_HEAP].n)
                rename_in(r, VM_ID_HEAP, i);
        }
}

/* Changes ids and symmetric threads: few objects point to objects of either. */
static void change_symmetric(struct vm_heap *h, struct vm_stable_ids *before)
{
    struct vm_inchash *s = &h->inchash;
    struct renaming r = {.heap = h, .was = {.stable_ids = before}};
    r.frontier = (struct toggles){.at = r.frontier.few,
                                  .max = sizeof r.frontier.few / sizeof *r.frontier.few};
    s->visited = false;
    h->nsums++;
    for (unsigned region = VM_ID_HEAP + 1; region < VM_REGIONS; region++)
        for (uint32_t i = 0; i < vm_table_of(h, region)->n; i++)
            rename_in(&r, region, i);
    rename_in_heap(&r);
    s->sum[0] += r.was.sum[0];
    s->sum[1] += r.was.sum[1];
    s->leak_sum += r.was.leak_sum;
    s->nraw += r.was.nraw;
    change_frontier(s, &r.frontier);
    h->nsummed = h->nlog;
}

void vm_inchash_set_ids(struct vm_heap *h, struct vm_stable_ids *stable_ids, bool preconcurrent)
{
    struct vm_stable_ids *before = h->inchash.stable_ids;
    assert(!h->readset.recording && stable_ids && stable_ids != before);
    bool more = !h->exact && before && preconcurrent == h->inchash.preconcurrent &&
                keeps_ids(before, stable_ids);
    if (more)
        vm_inchash_update(h);
    h->inchash.stable_ids = stable_ids;
    h->inchash.nstable = h->nstable;
    h->inchash.preconcurrent = preconcurrent;
    h->nsums += h->exact; /* else vm_inchash_update counts: undoing is to see it */
    if (more && before->symmetric != stable_ids->symmetric) {
        change_symmetric(h, before);
    } else if (more) {
        extend(h, before);
    } else {
        h->summed = false;
        vm_inchash_update(h);
    }
    vm_stable_ids_release(before);
}

void vm_inchash_valid(const struct vm_heap *h, const struct vm_inchash *s)
{
    struct vm_inchash all = {.stable_ids = s->stable_ids};
    uint32_t nborder = 0;
    if (s->stable_ids)
        vm_stable_ids_valid(s->stable_ids);
    for (unsigned r = 0; r < VM_REGIONS; r++)
        for (uint32_t i = 0; i < vm_table_of((struct vm_heap *)h, r)->n; i++) {
            uint64_t p = vm_ptr(r, i, 0);
            const struct vm_obj *o = stable_at(h, s, p);
            if (!o)
                continue;
            struct vm_obj *copy = vm_obj_copy(o);
            vm_obj_hash(copy);
            assert(!(o->flags & VM_HASHED) || o->hash == copy->hash);
            nborder += count(&all, p, copy, 1);
            vm_obj_release(copy);
        }
    assert(all.sum[0] == s->sum[0] && all.sum[1] == s->sum[1]);
    assert(all.leak_sum == s->leak_sum && all.nraw == s->nraw);
    assert(nborder == (s->frontier ? s->frontier->n : 0));
    for (uint32_t k = 0; k < nborder; k++) {
        assert(stable_at(h, s, (uint64_t)s->frontier->at[k] << 32));
        assert(!k || id_of(s, s->frontier->at[k - 1]) < id_of(s, s->frontier->at[k]));
    }
}
