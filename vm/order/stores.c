/* stores.c - see stores.h. */
#include "stores.h"

#include <string.h>

#include "seq_cst.h"
#include "vm/exec/address_space.h"
#include "vm/exec/listen.h"
#include "vm/exec/register.h"
#include "vm/heap/memory.h"

/* ---- the list of a place --------------------------------------------------------- */

static bool is_at(const struct vm_order *o, size_t item, uint64_t p, uint32_t size)
{
    const struct vm_range *r = &o->items[item].access.range;
    return o->places[item] == p && r->end - r->start == size;
}

static bool overlaps(const struct vm_order *o, size_t item, uint64_t p, uint32_t size)
{
    const struct vm_range *r = &o->items[item].access.range;
    return vm_ptr_object(o->places[item]) == vm_ptr_object(p) && o->places[item] &&
           r->start < (uint32_t)p + size && (uint32_t)p < r->end;
}

void vm_stores_list(struct vm_order *o, uint64_t p, uint32_t size)
{
    o->nlist = 0;
    if (o->nitems > o->max_list) {
        o->max_list = 2 * o->nitems;
        o->list = vm_resize(o->list, o->max_list * sizeof *o->list);
    }
    for (uint32_t k = 0; k < o->nitems; k++)
        if (is_at(o, k, p, size)) {
            o->list[o->items[k].rank] = k;
            o->nlist++;
        }
}

static size_t add_store(struct vm_order *o, uint64_t owner, uint64_t p, uint32_t size,
                        uint32_t rank)
{
    return vm_order_add(o, (struct vm_item){.kind = VM_ITEM_STORE,
                                            .rank = rank,
                                            .access = {owner,
                                                       {.object = vm_ptr_object(p),
                                                        .start = (uint32_t)p,
                                                        .end = (uint32_t)p + size,
                                                        .kind = VM_WRITES | VM_ATOMICALLY}}});
}

void vm_stores_ensure(struct vm_order *o, uint64_t p, uint32_t size)
{
    vm_stores_list(o, p, size);
    if (o->nlist)
        return;
    add_store(o, 0, p, size, 0);
    vm_stores_list(o, p, size);
}

uint32_t vm_stores_seen(const struct vm_order *o, uint32_t holder)
{
    uint32_t rank = 0;
    while (rank + 1 < o->nlist && vm_order_has(o, o->list[rank + 1], holder))
        rank++;
    return rank;
}

static bool has_rank(const struct vm_order *o, size_t item, uint32_t rank)
{
    return o->places[item] && o->items[item].rank == rank;
}

static void list_of(struct vm_order *o, size_t item)
{
    const struct vm_range *r = &o->items[item].access.range;
    vm_stores_list(o, r->object + r->start, r->end - r->start);
}

void vm_stores_each_place(struct vm *vm, void (*visit)(struct vm *vm, size_t event),
                          size_t event)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = 0; k < o->nitems; k++)
        if (has_rank(o, k, 0)) {
            list_of(o, k);
            visit(vm, event);
        }
}

/* ---- what an access can do ------------------------------------------------------- */

bool vm_order_has_values(const struct vm *vm)
{
    return vm->race.order && vm->race.order->values;
}

bool vm_order_has_stores(struct vm *vm, uint64_t p, uint32_t size)
{
    vm_stores_list(vm->race.order, vm_address_space_place(vm, p), size);
    return vm->race.order->nlist > 1;
}

bool vm_order_is_in_turn(struct vm *vm, uint64_t p, uint32_t size)
{
    struct vm_order *o = vm->race.order;
    vm_stores_list(o, vm_address_space_place(vm, p), size);
    for (size_t k = 0; k < o->nlist; k++)
        if (o->items[o->list[k]].late)
            return false;
    return true;
}

bool vm_order_is_mixed(const struct vm *vm, uint64_t p, uint32_t size)
{
    const struct vm_order *o = vm->race.order;
    p = vm_address_space_place(vm, p);
    for (size_t k = 0; k < o->nitems; k++)
        if (overlaps(o, k, p, size) && !is_at(o, k, p, size))
            return true;
    return false;
}

static void add_option(struct vm_order *o, struct vm_option option)
{
    if (o->noptions == o->max_options) {
        o->max_options = o->max_options ? 2 * o->max_options : 8;
        o->options = vm_resize(o->options, o->max_options * sizeof *o->options);
    }
    o->options[o->noptions++] = option;
}

void vm_order_read(const struct vm *vm, uint64_t p, uint32_t size, struct vm_value value[2])
{
    enum { WORD = 8 };
    const struct vm_obj *from = vm_heap_part(&vm->heap, p, size);
    uint32_t n = size < WORD ? size : WORD;
    memset(value, 0, 2 * sizeof *value);
    for (uint32_t at = 0; at < size; at += WORD)
        value[at / WORD] = vm_value_at(from, (uint32_t)p + at, n);
    if (n < WORD)
        value[0].m |= ~vm_low(8 * n);
}

size_t vm_order_options(struct vm *vm, uint64_t p, uint32_t size,
                        const struct vm_option **options)
{
    struct vm_order *o = vm->race.order;
    struct vm_option option = {.last = true, .open = true};
    vm_order_read(vm, p, size, option.value);
    o->noptions = 0;
    vm_stores_list(o, vm_address_space_place(vm, p), size);
    uint32_t seen = vm_stores_seen(o, vm_order_present(vm));
    option.rank = o->nlist ? (uint32_t)o->nlist - 1 : 0;
    add_option(o, option);
    while (option.rank > seen) {
        option.last = false;
        option.open = !o->items[o->list[option.rank--]].joined;
        memcpy(option.value, o->items[o->list[option.rank]].value, sizeof option.value);
        add_option(o, option);
    }
    *options = o->options;
    return o->noptions;
}

bool vm_order_allows(struct vm *vm, const struct vm_event_of *event,
                     const struct vm_option *option)
{
    struct vm_order *o = vm->race.order;
    if (event->writes && !option->open)
        return false;
    if (option->last)
        return true; /* it comes after everything */
    vm_stores_list(o, vm_address_space_place(vm, event->p), event->size);
    return vm_seq_cst_allows(vm, event, option->rank);
}

/* ---- what it does ---------------------------------------------------------------- */

/* Notes that the running thread reads the store of that rank. */
static void see(struct vm *vm, uint32_t rank)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    for (uint32_t k = 1; k <= rank; k++)
        vm_order_put(o, o->list[k], me, true);
}

void vm_order_see(struct vm *vm, uint64_t p, uint32_t size)
{
    struct vm_order *o = vm->race.order;
    vm_stores_list(o, vm_address_space_place(vm, p), size);
    if (o->nlist)
        see(vm, (uint32_t)o->nlist - 1);
}

static void acquire(struct vm *vm, uint32_t message, bool at_once)
{
    struct vm_order *o = vm->race.order;
    if (!at_once && !o->fences)
        return;
    uint32_t to = at_once ? vm_order_present(vm) : vm_order_pending(vm);
    vm_order_join(o, to, message);
    vm_seq_cst_acquired(o, to);
}

/* Sets what the store passes on: what the thread knows, or knew at its last release fence; and
 * after a read-modify-write what the store before it passes on (C++20: no plain store of the
 * same thread does so).  It has seen the stores before it. */
static void release(struct vm *vm, const struct vm_event_of *event, uint32_t rank, bool at_once)
{
    struct vm_order *o = vm->race.order;
    uint32_t message = vm_order_of(o, VM_OF_STORE, o->list[rank]);
    if (event->reads && rank)
        vm_order_join(o, message, vm_order_seek(o, VM_OF_STORE, o->list[rank - 1]));
    vm_order_join(o, message, at_once ? vm_order_present(vm) : vm_order_fixed(vm));
    if (at_once)
        vm_seq_cst_released(o, message);
    for (uint32_t k = 1; o->values && k <= rank; k++)
        vm_order_put(o, o->list[k], message, true);
}

/* Inserts a store right after the one of that rank.  Whoever has seen the next store has seen
 * this one. */
static void insert(struct vm *vm, const struct vm_event_of *event, uint32_t rank,
                   const struct vm_value old[2], const struct vm_value written[2])
{
    struct vm_order *o = vm->race.order;
    uint64_t p = vm_address_space_place(vm, event->p);
    bool last = rank + 1 == o->nlist;
    size_t store = add_store(o, vm_order_running(vm), p, event->size, rank + 1);
    vm_note_access(vm, &o->items[store].access.range);
    if (!last)
        vm_order_copy_row(o, store, o->list[rank + 1]);
    for (size_t k = rank + 1; k < o->nlist; k++)
        o->items[o->list[k]].rank++;
    o->items[store].joined = event->reads;
    o->items[store].late = !last && vm->options.names;
    struct vm_item *gives = last ? &o->items[o->list[rank]] : &o->items[store];
    memcpy(gives->value, last ? old : written, sizeof gives->value);
    vm_stores_list(o, p, event->size);
}

static void store(struct vm *vm, const struct vm_event_of *event, uint32_t rank, size_t ordered,
                  const struct vm_value old[2], const struct vm_value written[2])
{
    struct vm_order *o = vm->race.order;
    insert(vm, event, rank, old, written);
    vm_seq_cst_store(vm, rank, ordered);
    see(vm, rank + 1);
    if (o->fences)
        vm_order_set(o, VM_STRONG, o->list[rank + 1], vm_order_present(vm), true);
    release(vm, event, rank + 1, event->releases);
}

static void access_value(struct vm *vm, const struct vm_event_of *event, uint32_t rank,
                         const struct vm_value old[2], const struct vm_value written[2])
{
    struct vm_order *o = vm->race.order;
    uint64_t p = vm_address_space_place(vm, event->p);
    vm_stores_list(o, p, event->size);
    if (!event->writes && !o->nlist && !vm_seq_cst_matters(o))
        return;
    vm_stores_ensure(o, p, event->size);
    vm_seq_cst_prepare(vm);
    if (event->reads) {
        see(vm, rank);
        acquire(vm, vm_order_seek(o, VM_OF_STORE, o->list[rank]), event->acquires);
    }
    size_t ordered = vm_seq_cst_access(vm, event, rank);
    if (event->writes)
        store(vm, event, rank, ordered, old, written);
    vm_seq_cst_done(vm, ordered);
}

/* ---- where places have one value ------------------------------------------------- */

static void acquire_all(struct vm *vm, uint64_t p, uint32_t size, bool at_once)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = 0; k < o->nitems; k++)
        if (overlaps(o, k, p, size))
            acquire(vm, vm_order_seek(o, VM_OF_STORE, k), at_once);
}

/* Ends what earlier stores pass on, unless a read-modify-write continues it. */
static void end_covered(struct vm_order *o, uint64_t p, uint32_t size)
{
    for (size_t k = 0; k < o->nitems; k++)
        if (overlaps(o, k, p, size) && o->items[k].access.range.start >= (uint32_t)p &&
            o->items[k].access.range.end <= (uint32_t)p + size)
            vm_order_forget(o, vm_order_seek(o, VM_OF_STORE, k));
}

static void access_present(struct vm *vm, const struct vm_event_of *event)
{
    struct vm_order *o = vm->race.order;
    uint64_t p = vm_address_space_place(vm, event->p);
    if (!o->nitems && vm_order_fixed(vm) == VM_NO_HOLDER)
        return;
    if (event->reads)
        acquire_all(vm, p, event->size, event->acquires);
    if (!event->writes)
        return;
    if (!event->reads)
        end_covered(o, p, event->size);
    if (!vm_order_knows_any(o, event->releases ? vm_order_present(vm) : vm_order_fixed(vm)))
        return;
    vm_stores_ensure(o, p, event->size);
    release(vm, event, 0, event->releases);
}

void vm_order_atomic(struct vm *vm, const struct vm_event_of *event,
                     const struct vm_option *option, const struct vm_value old[2],
                     const struct vm_value written[2])
{
    struct vm_order *o = vm->race.order;
    vm_order_note_atomic(vm, event->p, event->size, event->writes); /* a release passes it on */
    if (o->values)
        access_value(vm, event, option->rank, old, written);
    else
        access_present(vm, event);
}

void vm_order_large(struct vm *vm, const struct vm_event_of *event)
{
    bool fences = event->seq_cst && vm->race.order->values;
    vm_order_note_atomic(vm, event->p, event->size, event->writes);
    if (fences)
        vm_seq_cst_fence(vm);
    access_present(vm, event);
    if (fences)
        vm_seq_cst_fence(vm);
}

/* ---- what is forgotten ----------------------------------------------------------- */

/* Is the holder of that kind there, and among the used ones? */
static bool is_used(const struct vm_order *o, enum vm_holder_kind kind, size_t item,
                    const uint64_t *used)
{
    uint32_t holder = vm_order_seek(o, kind, item);
    return holder != VM_NO_HOLDER && vm_order_mask_has(used, holder);
}

/* It passes nothing on, and nobody can read another one. used: holders that know of anything.
 */
static bool is_idle(const struct vm_order *o, size_t item, const uint64_t *used)
{
    if (is_used(o, VM_OF_STORE, item, used))
        return false;
    return !o->nevents ||
           (!is_used(o, VM_OF_ITSELF, item, used) && !is_used(o, VM_OF_BEFORE, item, used) &&
            !is_used(o, VM_OF_READERS, item, used));
}

/* Is it the only store of its place? */
static bool is_alone(const struct vm_order *o, size_t item)
{
    const struct vm_range *r = &o->items[item].access.range;
    for (size_t k = 0; k < o->nitems; k++)
        if (k != item && is_at(o, k, o->places[item], r->end - r->start))
            return false;
    return true;
}

/* The places whose one store is idle. */
static void forget_idle(struct vm_order *o)
{
    uint64_t *used = vm_order_mask(o, VM_MASK_USED);
    vm_order_used(o, used);
    for (size_t k = o->nitems; k-- > 0;) {
        if (!has_rank(o, k, 0) || !is_idle(o, k, used) || !is_alone(o, k))
            continue;
        vm_order_drop(o, k);
        vm_order_used(o, used);
    }
}

static void drop_first(struct vm_order *o)
{
    struct vm_item *second = &o->items[o->list[1]];
    uint32_t first = o->list[0];
    second->joined = false;
    second->late |= o->items[first].late;
    vm_order_forget(o, vm_order_seek(o, VM_OF_AFTER, o->list[1]));
    vm_order_forget(o, vm_order_seek(o, VM_OF_SEEN, o->list[1]));
    for (size_t k = 1; k < o->nlist; k++)
        o->items[o->list[k]].rank--;
    vm_order_drop(o, first);
}

/* Have the same holders seen two stores, and do both stores pass on the same, but for what is
 * said of these stores themselves?  (That only the first one happens before what a holder does
 * is no limit to who reads the other.) */
static bool is_same_knowledge(const struct vm_order *o, uint32_t store, uint32_t next)
{
    uint32_t its = vm_order_seek(o, VM_OF_STORE, store),
             of_next = vm_order_seek(o, VM_OF_STORE, next);
    for (uint32_t k = 0; k < o->nholders; k++)
        if (k != its && vm_order_has(o, store, k) != vm_order_has(o, next, k))
            return false;
    for (enum vm_plane plane = 0; plane < vm_order_planes(o); plane++)
        for (size_t k = 0; k < o->nitems; k++)
            if (k != store && k != next &&
                vm_order_is(o, plane, k, its) != vm_order_is(o, plane, k, of_next))
                return false;
    return true;
}

static bool is_same_value(const struct vm_value *a, const struct vm_value *b)
{
    return a->v == b->v && a->m == b->m && a->p == b->p;
}

/* Does the next store, a read-modify-write of this one, change nothing: neither the value is
 * another, nor who has seen it, nor what it passes on?  No store comes in between, so it does
 * not matter which of the two is read. */
static bool is_repeated(const struct vm_order *o, uint32_t store, uint32_t next)
{
    const struct vm_item *a = &o->items[store], *b = &o->items[next];
    return is_same_value(&a->value[0], &b->value[0]) &&
           is_same_value(&a->value[1], &b->value[1]) && is_same_knowledge(o, store, next);
}

/* Drops the store of this rank, not the first or last one, which the next one repeats. */
static void drop_repeated(struct vm_order *o, uint32_t rank)
{
    uint32_t store = o->list[rank];
    struct vm_item *next = &o->items[o->list[rank + 1]];
    next->joined = o->items[store].joined;
    next->late |= o->items[store].late;
    for (size_t k = rank + 1; k < o->nlist; k++)
        o->items[o->list[k]].rank--;
    vm_order_drop(o, store);
}

/* A thread that tries to take a spin lock stores what was there, again and again: so that this
 * comes to an end, one such store stands for all.  The last one is left out, since its value is
 * in memory. */
static void forget_repeated(struct vm_order *o)
{
    enum { FIRST = 2 };
    for (size_t k = 0; !o->nevents && k < o->nitems; k++) {
        if (!o->places[k] || !o->items[k].joined || o->items[k].rank < FIRST)
            continue;
        list_of(o, k);
        uint32_t rank = o->items[k].rank - 1;
        if (rank + FIRST == o->nlist || !is_repeated(o, o->list[rank], (uint32_t)k))
            continue;
        drop_repeated(o, rank);
        k = SIZE_MAX; /* from the beginning: items have moved */
    }
}

static bool is_gone(const struct vm *vm, uint64_t place)
{
    return place && !vm_heap_get(&vm->heap, vm_ptr_object(place));
}

void vm_stores_forget(struct vm *vm, bool (*known)(struct vm *vm, size_t item))
{
    struct vm_order *o = vm->race.order;
    for (size_t k = o->nitems; k-- > 0;)
        if (is_gone(vm, o->places[k]))
            vm_order_drop(o, k);
    for (size_t k = 0; k < o->nitems; k++) {
        if (!has_rank(o, k, 1) || !known(vm, k))
            continue;
        list_of(o, k);
        drop_first(o);
        k = SIZE_MAX; /* from the beginning: items have moved */
    }
    vm_seq_cst_forget(o);
    forget_repeated(o);
    forget_idle(o);
}
