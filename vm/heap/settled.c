/* settled.c - see settled.h. */
#include "settled.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"
#include "memory.h"

void vm_settled_retain(const struct vm_settled *s)
{
    vm_ids_retain(s->border);
    vm_numbers_retain(s->numbers);
}

void vm_settled_release(struct vm_settled *s)
{
    vm_ids_release(s->border);
    vm_numbers_release(s->numbers);
    *s = (struct vm_settled){0};
}

/* Most states have the lists of the one before: their counts are left alone. */
void vm_settled_set(struct vm_settled *s, const struct vm_settled *from)
{
    if (s->border != from->border) {
        vm_ids_retain(from->border);
        vm_ids_release(s->border);
    }
    if (s->numbers != from->numbers) {
        vm_numbers_retain(from->numbers);
        vm_numbers_release(s->numbers);
    }
    *s = *from;
}

/* ---- terms ------------------------------------------------------------------------ */

/* Two hashes of an object's id, its hash, and the ids that this leaves out. */
struct form {
    const struct vm_settled *settled;
    uint64_t at[2];
    bool whole;    /* no id is missing: it does not belong to the border */
    unsigned twin; /* whose object it is, or 0; other twins' ids may be missing */
};

static inline void push_id(void *form, uint64_t p)
{
    struct form *f = form;
    uint64_t id = vm_settled_id(f->settled, p);
    unsigned twin = vm_twin_of(f->settled, id);
    vm_term_mix(f->at, id);
    f->whole &= id != 0 && (!twin || twin == f->twin);
}

/* A word of an object that is a sum of words. */
static inline void add_word(struct form *f, uint64_t id, const struct vm_obj *o, uint32_t w,
                            uint64_t times)
{
    uint64_t v = o->data[w], shadow = vm_obj_shadow((struct vm_obj *)o)[w];
    if (vm_obj_is_edge((uint16_t)shadow, v)) {
        uint64_t to = vm_settled_id(f->settled, v);
        f->whole &= to && !vm_twin_of(f->settled, to);
        v = to << 32 | (uint32_t)v;
    }
    uint64_t x = vm_fold(v ^ vm_fold(id << 32 | w));
    f->at[0] += times * vm_fold(x + shadow);
    f->at[1] += times * vm_fold(x ^ ~shadow << 32);
}

static struct form describe_words(const struct vm_settled *s, uint64_t id,
                                  const struct vm_obj *o)
{
    uint64_t head = (uint64_t)o->size << 16 | (uint64_t)o->kind << 8 | (o->flags & VM_SHARED);
    struct form f = {.settled = s, .at = {head, ~head}, .whole = true};
    vm_term_mix(f.at, id);
    for (uint32_t w = 0; w < vm_obj_words(o); w++)
        add_word(&f, id, o, w, 1);
    return f;
}

static inline struct form describe(const struct vm_settled *s, uint64_t p,
                                   const struct vm_obj *o)
{
    uint64_t id = vm_settled_id(s, p);
    if (vm_settled_by_words(id, o))
        return describe_words(s, id, o);
    struct form f = {s, {o->hash, ~o->hash}, true, vm_twin_of(s, id)};
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

bool vm_settled_add(const struct vm_settled *s, uint64_t p, const struct vm_obj *o, int sign,
                    uint64_t sum[2])
{
    if (!vm_settled_id(s, p))
        return true;
    struct form f = describe(s, p, o);
    if (f.whole)
        add_term(sum, &f, (uint64_t)(int64_t)sign);
    return f.whole;
}

/* An object with a valid hash comes (1) or goes (-1).  True if it belongs to the border. */
static bool count(struct vm_settled *s, uint64_t p, const struct vm_obj *o, int sign)
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

/* ---- the border --------------------------------------------------------------------- */

/* Objects that come into the border or leave it. */
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

static uint64_t id_of(const struct vm_settled *s, uint32_t upper)
{
    return vm_settled_id(s, (uint64_t)upper << 32);
}

/* By ids; each is there once. */
static void sort(const struct vm_settled *s, struct toggles *t)
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

/* The border without those that were in it, with those that were not. */
static struct vm_ids *toggled(const struct vm_settled *s, const struct toggles *t)
{
    const struct vm_ids *old = s->border;
    uint32_t nold = old ? old->n : 0;
    size_t j = 0;
    struct vm_ids *made = vm_ids_new(nold + (uint32_t)t->n);
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

/* Drops the list. */
static void change_border(struct vm_settled *s, struct toggles *t)
{
    if (!t->n)
        return;
    sort(s, t);
    struct vm_ids *made = toggled(s, t);
    vm_ids_release(s->border);
    s->border = made;
    if (t->at != t->few)
        free(t->at);
}

bool vm_settled_in_border(const struct vm_settled *s, uint64_t p)
{
    for (uint32_t k = 0; s->border && k < s->border->n; k++)
        if (s->border->at[k] == vm_ptr_id(p))
            return true;
    return false;
}

/* ---- keeping the sum ------------------------------------------------------------------ */

/* What is settled in a table, if it is: of an object in pages its pages are. */
static struct vm_obj *settled_at(const struct vm_heap *h, const struct vm_settled *s,
                                 uint64_t p)
{
    struct vm_obj *o = vm_table_of((struct vm_heap *)h, vm_ptr_region(p))->obj[vm_ptr_index(p)];
    return o && !(o->flags & VM_PAGED) && vm_settled_id(s, p) ? o : NULL;
}

/* An object comes that the sum has not met.  One that has no hash yet may be another
 * machine's, too: then it gets its hash in a copy. */
static void take_in(struct vm_heap *h, uint64_t p, struct vm_obj *o, struct toggles *border)
{
    if (!(o->flags & VM_HASHED) && vm_ptr_region(p) <= VM_ID_FRAME)
        o = vm_heap_own(h, p, o);
    vm_heap_hash(h, o);
    if (count(&h->settled, p, o, 1))
        toggle(border, p);
}

/* All settled objects there are. */
static void sum_all(struct vm_heap *h)
{
    struct vm_settled *s = &h->settled;
    struct vm_settled ids = {.numbers = s->numbers, .nnamed = s->nnamed, .old = s->old};
    vm_numbers_retain(ids.numbers);
    vm_settled_release(s);
    *s = ids;
    struct toggles border = {.at = border.few, .max = sizeof border.few / sizeof *border.few};
    for (unsigned r = 0; r < VM_REGIONS; r++)
        for (uint32_t i = 0; i < vm_table_of(h, r)->n; i++) {
            uint64_t p = vm_ptr(r, i, 0);
            struct vm_obj *o = settled_at(h, s, p);
            if (o)
                take_in(h, p, o, &border);
        }
    change_border(s, &border);
}

/* Was the index met before in this update? */
static bool again(struct vm_heap *h, struct vm_table *t, uint32_t index)
{
    bool met = t->summed[index] == h->nsums;
    t->summed[index] = h->nsums;
    return met;
}

/* An object that differs in a few words from what it was, and leads nowhere. */
static bool count_words(struct vm_settled *s, uint64_t p, const struct vm_obj *old,
                        const struct vm_obj *now)
{
    uint64_t id = vm_settled_id(s, p);
    if (!old || !now || old->size != now->size || !vm_settled_by_words(id, old) ||
        !vm_settled_by_words(id, now) || (old->flags ^ now->flags) & VM_SHARED ||
        (old->flags | now->flags) & VM_RAW || old->edges || now->edges || vm_obj_is_heap(now))
        return false;
    struct form f = {.settled = s, .at = {0, 0}};
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
    struct vm_settled *s = &h->settled;
    struct toggles border = {.at = border.few, .max = sizeof border.few / sizeof *border.few};
    for (size_t k = h->nsummed; k < h->nlog; k++) {
        const struct vm_undo *u = &h->log[k];
        uint64_t p = vm_ptr(u->region, u->index, 0);
        struct vm_obj *now = vm_table_of(h, u->region)->obj[u->index];
        if (!vm_settled_id(s, p)) {
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
            toggle(&border, p);
    }
    change_border(s, &border);
}

void vm_settled_update(struct vm_heap *h)
{
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

/* ---- ids ------------------------------------------------------------------------------ */

static bool keeps_ids(const struct vm_numbers *before, const struct vm_numbers *numbers)
{
    for (uint32_t k = 0; k < before->nholders; k++) {
        uint32_t i = vm_numbers_holder(before, k);
        if (i && vm_numbers_holder(numbers, k) != i)
            return false;
    }
    return before->old == numbers->old;
}

/* What leads to the objects that now have ids, too, was in the border until now. */
static void extend(struct vm_heap *h, const struct vm_numbers *before)
{
    struct vm_settled *s = &h->settled;
    struct toggles border = {.at = border.few, .max = sizeof border.few / sizeof *border.few};
    s->visited = false;
    for (uint32_t k = 0; s->border && k < s->border->n; k++) {
        uint64_t p = (uint64_t)s->border->at[k] << 32;
        struct form f = describe(s, p, settled_at(h, s, p));
        if (f.whole) {
            add_term(s->sum, &f, 1);
            toggle(&border, p);
        }
    }
    for (uint32_t k = 0; k < s->numbers->nholders; k++) {
        uint64_t p = vm_ptr(VM_ID_HEAP, vm_numbers_holder(s->numbers, k), 0);
        struct vm_obj *o = settled_at(h, s, p);
        if (o && !vm_numbers_holder(before, k))
            take_in(h, p, o, &border);
    }
    change_border(s, &border);
    h->nsummed = h->nlog;
}

/* What an object's term depends on beside its contents. */
struct view {
    const struct vm_settled *was, *is;
    bool same; /* its ids are, and nothing in it is a twin's */
};

static inline void compare_id(void *context, uint64_t p)
{
    struct view *view = context;
    uint64_t id = vm_settled_id(view->is, p);
    view->same &= id == vm_settled_id(view->was, p) && !vm_twin_of(view->was, id) &&
                  !vm_twin_of(view->is, id);
}

static bool is_same(const struct vm_settled *was, const struct vm_settled *is, uint64_t p,
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

/* A change of ids and twins. */
struct renaming {
    struct vm_heap *heap;
    struct vm_settled was; /* the ids as they were, and a sum of terms that are gone */
    struct toggles border;
};

static void rename_in(struct renaming *r, unsigned region, uint32_t index)
{
    struct vm_heap *h = r->heap;
    struct vm_settled *s = &h->settled;
    uint64_t p = vm_ptr(region, index, 0);
    struct vm_obj *o = settled_at(h, s, p);
    if (!o || again(h, vm_table_of(h, region), index) || is_same(&r->was, s, p, o))
        return;
    bool met = vm_settled_id(&r->was, p);
    bool left = met && count(&r->was, p, o, -1);
    if (!met)
        take_in(h, p, o, &r->border);
    else if (count(s, p, o, 1) != left)
        toggle(&r->border, p);
}

/* Those that have names, and old ones that name threads: in the trunk, or in place of its. */
static void rename_in_heap(struct renaming *r)
{
    struct vm_heap *h = r->heap;
    const struct vm_numbers *numbers = h->settled.numbers;
    for (uint32_t k = 0; k < numbers->nholders; k++)
        rename_in(r, VM_ID_HEAP, vm_numbers_holder(numbers, k));
    for (size_t k = 0; k < h->nlog; k++)
        if (h->log[k].region == VM_ID_HEAP)
            rename_in(r, VM_ID_HEAP, h->log[k].index);
    if (!numbers->old)
        return;
    vm_namers_update(h);
    for (uint32_t k = 0; k < h->namers.nwords; k++)
        for (uint64_t bits = h->namers.bits[k]; bits; bits &= bits - 1) {
            uint32_t i = k * 64 + (uint32_t)__builtin_ctzll(bits);
            if (i < h->table[VM_ID_HEAP].n)
                rename_in(r, VM_ID_HEAP, i);
        }
}

/* There are new ids, and other threads are twins: few objects name either. */
static void change_twins(struct vm_heap *h, struct vm_numbers *before)
{
    struct vm_settled *s = &h->settled;
    struct renaming r = {.heap = h, .was = {.numbers = before}};
    r.border =
        (struct toggles){.at = r.border.few, .max = sizeof r.border.few / sizeof *r.border.few};
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
    change_border(s, &r.border);
    h->nsummed = h->nlog;
}

void vm_settled_number(struct vm_heap *h, struct vm_numbers *numbers, bool old)
{
    struct vm_numbers *before = h->settled.numbers;
    bool more = !h->exact && before && old == h->settled.old && keeps_ids(before, numbers);
    if (more)
        vm_settled_update(h);
    h->settled.numbers = numbers;
    h->settled.nnamed = h->nnamed;
    h->settled.old = old;
    h->nsums += h->exact; /* else vm_settled_update counts: undoing is to see it */
    if (more && before->twins != numbers->twins) {
        change_twins(h, before);
    } else if (more) {
        extend(h, before);
    } else {
        h->summed = false;
        vm_settled_update(h);
    }
    vm_numbers_release(before);
}

void vm_settled_valid(const struct vm_heap *h, const struct vm_settled *s)
{
    struct vm_settled all = {.numbers = s->numbers};
    uint32_t nborder = 0;
    if (s->numbers)
        vm_numbers_valid(s->numbers);
    for (unsigned r = 0; r < VM_REGIONS; r++)
        for (uint32_t i = 0; i < vm_table_of((struct vm_heap *)h, r)->n; i++) {
            uint64_t p = vm_ptr(r, i, 0);
            const struct vm_obj *o = settled_at(h, s, p);
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
    assert(nborder == (s->border ? s->border->n : 0));
    for (uint32_t k = 0; k < nborder; k++) {
        assert(settled_at(h, s, (uint64_t)s->border->at[k] << 32));
        assert(!k || id_of(s, s->border->at[k - 1]) < id_of(s, s->border->at[k]));
    }
}
