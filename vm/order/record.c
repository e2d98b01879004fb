/* record.c - the relation as an object of the heap, between transitions.
 *
 * Its words: counts of fenced threads, holders, and items of each kind; the threads that have
 * had a release fence; the holders; and of each item what it is, and which holders know of it.
 * The order of holders and items does not depend on which of several threads came first, as far
 * as places and kinds tell; else states that could be one are two. */
#include <stdlib.h>
#include <string.h>

#include "forget.h"
#include "mixed.h"
#include "order.h"
#include "relation.h"
#include "stores.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"

struct vm_order *vm_order_new(bool fences, bool values, bool stays)
{
    struct vm_order *o = vm_zeros(1, sizeof *o);
    o->fences = fences;
    o->values = values;
    o->stays = stays;
    o->stride = 1;
    return o;
}

void vm_order_reset(struct vm_order *o)
{
    vm_order_clear(o);
    o->changed = false;
}

/* ---- out of the heap ------------------------------------------------------------- */

enum { HEADER = 3, HOLDER = 2, ACCESS = 4, STORE = 3, EVENT = 3, ROW_BITS = 64 };

static size_t row_words(size_t nholders)
{
    return (nholders + ROW_BITS - 1) / ROW_BITS;
}

static size_t value_words(const struct vm_item *store)
{
    return store->access.range.end - store->access.range.start > 8 ? 2 : 1;
}

static uint32_t low(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t high(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

struct reader {
    const struct vm_obj *o;
    uint32_t at;
    size_t nholders; /* of the record, the first ones */
};

static uint64_t next(struct reader *r)
{
    return r->o->data[r->at++];
}

/* Returns how many planes say something of an item. */
static unsigned planes_of(enum vm_item_kind kind)
{
    return kind == VM_ITEM_ACCESS  ? VM_KNOWN + 1
           : kind == VM_ITEM_STORE ? VM_STRONG + 1
                                   : VM_SEQUENCED + 1;
}

static void read_row(struct vm_order *o, struct reader *r, enum vm_plane plane, size_t item)
{
    uint64_t *row = vm_order_row(o, plane, item);
    for (size_t w = 0; w < row_words(r->nholders); w++)
        row[w] = next(r); /* the first holders stand in the order of the record */
}

static void read_rows(struct vm_order *o, struct reader *r, size_t item)
{
    for (enum vm_plane plane = 0; plane < planes_of(o->items[item].kind); plane++)
        read_row(o, r, plane, item);
}

static void read_access(struct vm_order *o, struct reader *r)
{
    struct vm_item item = {.kind = VM_ITEM_ACCESS};
    item.access.owner = next(r);
    item.access.range.object = next(r);
    uint64_t range = next(r);
    item.access.range.start = high(range);
    item.access.range.end = low(range);
    item.access.range.kind = low(next(r));
    read_rows(o, r, vm_order_add(o, item));
}

enum { JOINED = 1, LAST = 2, LATE = 4 };

static void read_store(struct vm_order *o, struct reader *r)
{
    struct vm_item item = {.kind = VM_ITEM_STORE};
    uint64_t p = next(r), what = next(r);
    item.access.range = (struct vm_range){.object = vm_ptr_object(p),
                                          .start = (uint32_t)p,
                                          .end = (uint32_t)p + (high(what) & 255),
                                          .kind = VM_WRITES | VM_ATOMICALLY};
    item.access.owner = next(r);
    item.rank = low(what);
    item.joined = high(what) >> 8 & JOINED;
    item.late = high(what) >> 8 & LATE;
    for (size_t k = 0; !(high(what) >> 8 & LAST) && k < value_words(&item); k++, r->at++)
        item.value[k] = vm_value_at(r->o, r->at * 8, 8);
    read_rows(o, r, vm_order_add(o, item));
}

static void read_event(struct vm_order *o, struct reader *r)
{
    struct vm_item item = {.kind = VM_ITEM_EVENT};
    item.access.owner = next(r);
    uint64_t p = next(r), size = next(r);
    item.fence = !size;
    item.access.range = (struct vm_range){
        .object = vm_ptr_object(p), .start = (uint32_t)p, .end = (uint32_t)p + (uint32_t)size};
    read_rows(o, r, vm_order_add(o, item));
}

static void read_holders(struct vm_order *o, struct reader *r)
{
    for (size_t k = 0; k < r->nholders; k++) {
        uint64_t thread = next(r), what = next(r);
        vm_order_holder(o, (struct vm_holder){.thread = thread,
                                              .id = low(what),
                                              .kind = (enum vm_holder_kind)high(what)});
    }
}

static void read_all(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    vm_order_reset(o);
    struct reader r = {vm->s.footprint ? vm_heap_get(&vm->heap, vm->s.footprint) : NULL, 0, 0};
    if (!r.o)
        return;
    uint64_t first = next(&r), second = next(&r), events = next(&r);
    uint32_t fenced = low(first);
    r.nholders = high(first);
    read_holders(o, &r);
    for (uint32_t k = 0; k < fenced; k++)
        vm_order_holder(o, (struct vm_holder){.thread = next(&r), .kind = VM_OF_RELEASE});
    for (uint32_t k = 0; k < high(second); k++) /* ids count stores and events */
        read_store(o, &r);
    for (uint32_t k = 0; k < events; k++)
        read_event(o, &r);
    for (uint32_t k = 0; k < low(second); k++)
        read_access(o, &r);
    o->changed = false;
}

void vm_order_begin(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    if (!o->stays)
        read_all(vm);
    o->begun = o->nitems;
}

bool vm_order_is_large(const struct vm *vm)
{
    enum { MANY = 24 };
    const struct vm_order *o = vm->race.order;
    return o->nitems >= o->begun + MANY && o->nitems >= 2 * o->begun;
}

/* ---- into the heap --------------------------------------------------------------- */

/* Items and holders as they are to be written. */
struct plan {
    struct vm_order *o;
    uint32_t *items;   /* stores, events, accesses: their numbers */
    uint32_t *holders; /* holders that know of something */
    uint32_t *row;     /* of each holder, where it is among these */
    size_t nholders, nfenced, nstores, nevents, naccesses;
};

static int compare_numbers(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int compare_ranges(const struct vm_range *a, const struct vm_range *b)
{
    int order = compare_numbers(a->object, b->object);
    return order ? order : compare_numbers(a->start, b->start);
}

static int compare_accesses(const struct vm_entry *a, const struct vm_entry *b)
{
    int order = compare_numbers(a->owner, b->owner);
    if (!order)
        order = compare_numbers(b->range.kind, a->range.kind);
    return order ? order : compare_ranges(&a->range, &b->range);
}

static int compare_stores(const struct vm_item *a, const struct vm_item *b)
{
    int order = compare_ranges(&a->access.range, &b->access.range);
    return order ? order : compare_numbers(a->rank, b->rank);
}

static bool event_is_first(const struct vm_order *o, uint32_t a, uint32_t b)
{
    return vm_order_has(o, a, vm_order_seek(o, VM_OF_EVENT, b));
}

static int compare_events(const struct vm_order *o, uint32_t a, uint32_t b)
{
    int order = compare_numbers(o->items[a].access.owner, o->items[b].access.owner);
    return order ? order : event_is_first(o, a, b) ? -1 : event_is_first(o, b, a);
}

static int group(const struct vm_item *item)
{
    return item->kind == VM_ITEM_STORE ? 0 : item->kind == VM_ITEM_EVENT ? 1 : 2;
}

static int compare_items(const void *x, const void *y, void *context)
{
    const struct vm_order *o = context;
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    const struct vm_item *first = &o->items[a], *second = &o->items[b];
    int order = group(first) - group(second);
    if (!order && first->kind == VM_ITEM_STORE)
        order = compare_stores(first, second);
    else if (!order && first->kind == VM_ITEM_EVENT)
        order = compare_events(o, a, b);
    else if (!order)
        order = compare_accesses(&first->access, &second->access);
    return order ? order : compare_numbers(a, b);
}

static int compare_holders(const void *x, const void *y, void *context)
{
    const struct vm_order *o = context;
    const struct vm_holder *a = &o->holders[*(const uint32_t *)x],
                           *b = &o->holders[*(const uint32_t *)y];
    int order = compare_numbers(a->kind, b->kind);
    if (!order)
        order = compare_numbers(a->thread, b->thread);
    return order ? order : compare_numbers(a->id, b->id);
}

static bool is_fenced(const struct vm_holder *holder)
{
    return holder->kind == VM_OF_RELEASE;
}

static void count_items(struct plan *plan)
{
    for (size_t k = 0; k < plan->o->nitems; k++) {
        enum vm_item_kind kind = plan->o->items[k].kind;
        plan->nstores += kind == VM_ITEM_STORE;
        plan->nevents += kind == VM_ITEM_EVENT;
        plan->naccesses += kind == VM_ITEM_ACCESS;
    }
}

/* Numbers stores and events by where they stand from now on. */
static void number_items(struct plan *plan)
{
    struct vm_order *o = plan->o;
    plan->items = vm_alloc((o->nitems + 1) * sizeof *plan->items);
    for (uint32_t k = 0; k < o->nitems; k++)
        plan->items[k] = k;
    qsort_r(plan->items, o->nitems, sizeof *plan->items, compare_items, o);
    uint32_t *called = vm_zeros(o->next_id + 1, sizeof *called);
    for (uint32_t k = 0; k < o->nitems; k++) {
        struct vm_item *item = &o->items[plan->items[k]];
        if (item->id)
            called[item->id] = k + 1;
        item->id = item->id ? k + 1 : 0;
    }
    for (size_t k = 0; k < o->nholders; k++)
        o->holders[k].id = called[o->holders[k].id];
    free(called); /* from here on nobody is looked for by an id */
}

static void number_holders(struct plan *plan)
{
    struct vm_order *o = plan->o;
    plan->holders = vm_alloc((o->nholders + 1) * sizeof *plan->holders);
    plan->row = vm_zeros(o->nholders + 1, sizeof *plan->row);
    uint64_t *used = vm_alloc(o->stride * sizeof *used);
    vm_order_used(o, used);
    for (uint32_t k = 0; k < o->nholders; k++) {
        if (used[k / ROW_BITS] >> k % ROW_BITS & 1)
            plan->holders[plan->nholders++] = k;
        plan->nfenced += is_fenced(&o->holders[k]);
    }
    free(used);
    qsort_r(plan->holders, plan->nholders, sizeof *plan->holders, compare_holders, o);
    for (uint32_t k = 0; k < plan->nholders; k++)
        plan->row[plan->holders[k]] = k;
}

/* Is the item the last store of its place, in the order of the plan? */
static bool is_last(const struct plan *plan, size_t at)
{
    const struct vm_order *o = plan->o;
    const struct vm_item *store = &o->items[plan->items[at]],
                         *next = at + 1 < o->nitems ? &o->items[plan->items[at + 1]] : NULL;
    return !next || next->kind != VM_ITEM_STORE ||
           compare_ranges(&next->access.range, &store->access.range);
}

static size_t words_of(const struct plan *plan)
{
    size_t row = row_words(plan->nholders);
    size_t words = HEADER + plan->nholders * HOLDER + plan->nfenced +
                   plan->nevents * (EVENT + planes_of(VM_ITEM_EVENT) * row) +
                   plan->naccesses * (ACCESS + planes_of(VM_ITEM_ACCESS) * row) +
                   plan->nstores * (STORE + planes_of(VM_ITEM_STORE) * row);
    for (size_t k = 0; k < plan->o->nitems; k++)
        if (k < plan->nstores && !is_last(plan, k))
            words += value_words(&plan->o->items[plan->items[k]]);
    return words;
}

/* Writes words one after the other. */
struct writer {
    struct vm_obj *o;
    uint32_t at;
};

static void write(struct writer *w, uint64_t word, bool pointer)
{
    w->o->data[w->at] = word;
    vm_obj_shadow(w->o)[w->at++] = pointer && word ? 0xffff : 0x00ff;
}

static void write_row(struct writer *w, const struct plan *plan, enum vm_plane plane,
                      uint32_t item)
{
    const struct vm_order *o = plan->o;
    const uint64_t *from = o->bits[plane] + item * o->stride;
    uint64_t *to = w->o->data + w->at;
    for (size_t k = 0; k < row_words(plan->nholders); k++)
        write(w, 0, false);
    for (size_t k = 0; k < o->stride; k++)
        for (uint64_t bits = from[k]; bits; bits &= bits - 1) {
            uint32_t at = plan->row[k * ROW_BITS + (size_t)__builtin_ctzll(bits)];
            to[at / ROW_BITS] |= (uint64_t)1 << at % ROW_BITS;
        }
}

static void write_holders(struct writer *w, const struct plan *plan)
{
    for (size_t k = 0; k < plan->nholders; k++) {
        const struct vm_holder *holder = &plan->o->holders[plan->holders[k]];
        write(w, holder->thread, true);
        write(w, (uint64_t)holder->kind << 32 | holder->id, false);
    }
}

static int compare_threads(const void *x, const void *y)
{
    return compare_numbers(*(const uint64_t *)x, *(const uint64_t *)y);
}

static void write_fenced(struct writer *w, const struct plan *plan)
{
    uint64_t *list = vm_alloc((plan->nfenced + 1) * sizeof *list);
    size_t n = 0;
    for (size_t k = 0; k < plan->o->nholders; k++)
        if (is_fenced(&plan->o->holders[k]))
            list[n++] = plan->o->holders[k].thread;
    qsort(list, n, sizeof *list, compare_threads);
    for (size_t k = 0; k < n; k++)
        write(w, list[k], true);
    free(list);
}

static void write_store(struct writer *w, const struct plan *plan, size_t at)
{
    const struct vm_item *item = &plan->o->items[plan->items[at]];
    const struct vm_range *r = &item->access.range;
    bool last = is_last(plan, at);
    unsigned flags =
        (item->joined ? JOINED : 0u) | (last ? LAST : 0u) | (item->late ? LATE : 0u);
    uint32_t what = (r->end - r->start) | flags << 8;
    write(w, r->object + r->start, true);
    write(w, (uint64_t)what << 32 | item->rank, false);
    write(w, item->access.owner, true);
    for (size_t k = 0; !last && k < value_words(item); k++)
        vm_obj_put(w->o, w->at++ * 8, 8, item->value[k].v, item->value[k].m, item->value[k].p);
}

static void write_item(struct writer *w, const struct plan *plan, size_t k)
{
    uint32_t at = plan->items[k];
    const struct vm_item *item = &plan->o->items[at];
    const struct vm_range *r = &item->access.range;
    if (item->kind == VM_ITEM_STORE) {
        write_store(w, plan, k);
    } else if (item->kind == VM_ITEM_EVENT) {
        write(w, item->access.owner, true);
        write(w, item->fence ? 0 : r->object + r->start, true);
        write(w, item->fence ? 0 : r->end - r->start, false);
    } else {
        write(w, item->access.owner, true);
        write(w, r->object, true);
        write(w, (uint64_t)r->start << 32 | r->end, false);
        write(w, r->kind, false);
    }
    for (enum vm_plane plane = 0; plane < planes_of(item->kind); plane++)
        write_row(w, plan, plane, at);
}

static void write_record(struct vm *vm, struct plan *plan)
{
    vm->s.footprint =
        vm_heap_make_frame(&vm->heap, (uint32_t)words_of(plan) * 8, VM_FOOTPRINTS);
    struct writer w = {vm_heap_get(&vm->heap, vm->s.footprint), 0};
    write(&w, (uint64_t)plan->nholders << 32 | plan->nfenced, false);
    write(&w, (uint64_t)plan->nstores << 32 | plan->naccesses, false);
    write(&w, plan->nevents, false);
    write_holders(&w, plan);
    write_fenced(&w, plan);
    for (size_t k = 0; k < plan->o->nitems; k++)
        write_item(&w, plan, k);
}

static void write_back(struct vm *vm)
{
    struct plan plan = {.o = vm->race.order};
    if (vm->s.footprint)
        vm_heap_free(&vm->heap, vm->s.footprint);
    vm->s.footprint = 0;
    count_items(&plan);
    number_items(&plan);
    number_holders(&plan);
    if (plan.nfenced || plan.o->nitems)
        write_record(vm, &plan);
    free(plan.items);
    free(plan.holders);
    free(plan.row);
}

/* Is it time to forget?  To look for what can be forgotten takes longer than to have it there
 * for some transitions, as long as nothing is hashed. */
static bool is_time_to_forget(const struct vm *vm)
{
    enum { MORE_ITEMS = 12, MORE_HOLDERS = 24 };
    const struct vm_order *o = vm->race.order;
    if (vm_order_lingers(vm))
        return o->nitems >= o->kept_items + MORE_ITEMS ||
               o->nholders >= o->kept_holders + MORE_HOLDERS;
    return o->nitems || o->changed; /* a thread may have ended, or another been made */
}

void vm_order_end(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    vm_mixed_end(vm);
    if (is_time_to_forget(vm)) {
        vm_order_forget_known(vm);
        o->kept_items = o->nitems;
        o->kept_holders = o->nholders;
    }
    if (o->stays) {
        o->changed = false;
        return;
    }
    if (o->changed)
        write_back(vm);
    vm_order_reset(o);
}
