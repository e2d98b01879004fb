/* seq_cst.c - see seq_cst.h. */
#include "seq_cst.h"

#include <string.h>

#include "stores.h"
#include "vm/heap/memory.h"

static bool is_event(const struct vm_order *o, size_t item)
{
    return o->items[item].kind == VM_ITEM_EVENT;
}

static bool is_fence(const struct vm_order *o, size_t item)
{
    return is_event(o, item) && o->items[item].fence;
}

static bool is_access(const struct vm_order *o, size_t item)
{
    return is_event(o, item) && !o->items[item].fence;
}

static bool is_of_place(const struct vm_order *o, size_t event, size_t store)
{
    const struct vm_range *a = &o->items[event].access.range,
                          *b = &o->items[store].access.range;
    return is_access(o, event) && a->object == b->object && a->start == b->start &&
           a->end == b->end;
}

bool vm_seq_cst_matters(const struct vm_order *o)
{
    return o->nevents;
}

/* Is the item among the events that the holder of this kind notes for the store? */
static bool is_of(const struct vm_order *o, size_t item, enum vm_holder_kind kind, size_t store)
{
    return vm_order_has(o, item, vm_order_seek(o, kind, store));
}

static void put_of(struct vm_order *o, size_t item, enum vm_holder_kind kind, size_t store)
{
    vm_order_put(o, item, vm_order_of(o, kind, store), true);
}

/* ---- the order ------------------------------------------------------------------- */

static bool is_or_comes_before(const struct vm_order *o, size_t first, size_t second)
{
    return first == second || is_of(o, first, VM_OF_EVENT, second);
}

/* Those who say which events come before an event. */
static const uint64_t *holders_before(struct vm_order *o)
{
    uint64_t *mask = vm_order_mask(o, VM_MASK_EVENTS);
    for (size_t k = 0; k < o->nevents; k++) {
        uint32_t holder = vm_order_seek(o, VM_OF_EVENT, o->events[k]);
        if (holder != VM_NO_HOLDER)
            vm_order_mask_add(mask, holder);
    }
    return mask;
}

/* The order stays transitive: the first event, and what comes before it, come before the second
 * one, and before what comes after that. */
static void order(struct vm_order *o, size_t first, size_t second)
{
    uint32_t of_second = vm_order_of(o, VM_OF_EVENT, second);
    if (vm_order_has(o, first, of_second))
        return;
    const uint64_t *mask = holders_before(o), *after = vm_order_row(o, VM_KNOWN, second);
    for (size_t k = 0; k < o->nevents; k++) {
        size_t a = o->events[k];
        if (!is_or_comes_before(o, a, first))
            continue;
        uint64_t *row = vm_order_row(o, VM_KNOWN, a);
        for (size_t w = 0; w < o->stride; w++)
            row[w] |= after[w] & mask[w];
        vm_order_put(o, a, of_second, true);
    }
}

/* ---- what comes before and after an access --------------------------------------- */

enum { SEQUENCED = 1 };

static void make_marks(struct vm_order *o)
{
    if (o->max_marks < o->nitems + 1) {
        o->max_marks = 2 * o->nitems + 1;
        o->marks = vm_resize(o->marks, o->max_marks);
    }
}

void vm_seq_cst_prepare(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    make_marks(o);
    for (size_t k = 0; k < o->nevents; k++) {
        uint32_t e = o->events[k];
        bool marked =
            is_fence(o, e) ? vm_order_has(o, e, me) : vm_order_is(o, VM_SEQUENCED, e, me);
        o->marks[e] = marked ? SEQUENCED : 0;
    }
}

void vm_seq_cst_acquired(struct vm_order *o, uint32_t holder)
{
    for (size_t k = 0; k < o->nevents; k++)
        if (is_fence(o, o->events[k]))
            vm_order_set(o, VM_STRONG, o->events[k], holder, false);
}

void vm_seq_cst_released(struct vm_order *o, uint32_t message)
{
    for (size_t k = 0; k < o->nevents; k++)
        if (is_fence(o, o->events[k]) && vm_order_has(o, o->events[k], message))
            vm_order_set(o, VM_STRONG, o->events[k], message, true);
}

/* Does the event come, by coherence, before a store that comes right after this one in the
 * list? */
static bool is_before_next(const struct vm_order *o, size_t item, size_t store)
{
    return is_of(o, item, VM_OF_ITSELF, store) || is_of(o, item, VM_OF_BEFORE, store) ||
           is_of(o, item, VM_OF_READERS, store);
}

/* Does a read acquire the event?  The store passes it on: it happens before that and is of the
 * same place. */
static bool is_acquired(const struct vm_order *o, size_t item, const struct vm_event_of *event,
                        size_t store)
{
    uint32_t message = vm_order_seek(o, VM_OF_STORE, store);
    if (!event->reads || !event->acquires)
        return false;
    return is_fence(o, item) ? vm_order_is(o, VM_STRONG, item, message)
                             : vm_order_has(o, item, message) && is_of_place(o, item, store);
}

/* Does the event come before a seq_cst access that reads the store or comes right after it? */
static bool precedes(struct vm *vm, size_t item, const struct vm_event_of *event, size_t store)
{
    struct vm_order *o = vm->race.order;
    return o->marks[item] ||
           (is_of_place(o, item, store) && vm_order_has(o, item, vm_order_present(vm))) ||
           is_acquired(o, item, event, store) ||
           (event->writes && is_before_next(o, item, store));
}

/* Is it a fence that comes before the access because of something that happens before it? */
static bool is_fence_before(struct vm *vm, size_t item, const struct vm_event_of *event,
                            size_t store)
{
    struct vm_order *o = vm->race.order;
    return is_fence(o, item) &&
           (vm_order_has(o, item, vm_order_present(vm)) ||
            (event->reads && event->acquires && is_of(o, item, VM_OF_STORE, store)));
}

/* Does an event come after an access that reads an earlier store than this one; or after a
 * fence before that? */
static bool follows(const struct vm_order *o, size_t item, size_t store, bool fence)
{
    return is_of(o, item, VM_OF_AFTER, store) || (fence && is_of(o, item, VM_OF_SEEN, store));
}

/* Would the event come both before and after the access? */
static bool closes_cycle(struct vm *vm, size_t item, const struct vm_event_of *event,
                         uint32_t rank, size_t follower)
{
    struct vm_order *o = vm->race.order;
    size_t store = o->list[rank], later = o->list[rank + 1];
    if (!is_or_comes_before(o, follower, item))
        return false;
    return is_fence_before(vm, item, event, store) ||
           (event->seq_cst && follows(o, follower, later, false) &&
            precedes(vm, item, event, store));
}

bool vm_seq_cst_allows(struct vm *vm, const struct vm_event_of *event, uint32_t rank)
{
    struct vm_order *o = vm->race.order;
    if (rank + 1 >= o->nlist)
        return true;
    vm_seq_cst_prepare(vm);
    for (size_t b = 0; b < o->nevents; b++)
        for (size_t a = 0; follows(o, o->events[b], o->list[rank + 1], true) && a < o->nevents;
             a++)
            if (closes_cycle(vm, o->events[a], event, rank, o->events[b]))
                return false;
    return true;
}

/* ---- accesses -------------------------------------------------------------------- */

static void order_before(struct vm *vm, const struct vm_event_of *event, size_t store,
                         size_t fresh)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = 0; k < o->nevents && o->events[k] != fresh; k++)
        if (precedes(vm, o->events[k], event, store))
            order(o, o->events[k], fresh);
}

/* Is the item the access, or a fence that happens before it? */
static bool is_source(struct vm *vm, size_t item, size_t fresh)
{
    struct vm_order *o = vm->race.order;
    return item == fresh || (is_fence(o, item) && vm_order_has(o, item, vm_order_present(vm)));
}

static void order_after(struct vm *vm, uint32_t rank, size_t fresh)
{
    struct vm_order *o = vm->race.order;
    if (rank + 1 >= o->nlist || !o->nevents)
        return;
    for (size_t k = 0; k < o->nevents; k++) {
        size_t a = o->events[k];
        for (size_t i = 0; is_source(vm, a, fresh) && i < o->nevents; i++) {
            size_t b = o->events[i];
            if (a != b && follows(o, b, o->list[rank + 1], is_fence(o, a)))
                order(o, a, b);
        }
    }
}

/* Notes that the sources come before the stores later than the one of the rank; and, if the
 * access is a load, before one that will come right after that. */
static void tell_stores(struct vm *vm, uint32_t rank, bool read, size_t fresh)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = 0; k < o->nevents; k++) {
        if (!is_source(vm, o->events[k], fresh))
            continue;
        if (read)
            put_of(o, o->events[k], VM_OF_READERS, o->list[rank]);
        for (size_t later = rank + 1; later < o->nlist; later++)
            put_of(o, o->events[k], VM_OF_BEFORE, o->list[later]);
    }
}

/* Notes that the event comes after the stores up to that of the rank. */
static void come_after(struct vm_order *o, enum vm_holder_kind kind, uint32_t rank,
                       size_t event)
{
    for (uint32_t k = 1; k <= rank; k++)
        put_of(o, event, kind, o->list[k]);
}

/* Orders fences: accesses of a place that happen before another access of it come before fences
 * after that. */
static void strengthen(struct vm *vm, size_t store)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    for (size_t k = 0; k < o->nevents; k++)
        if (is_of_place(o, o->events[k], store) && vm_order_has(o, o->events[k], me))
            vm_order_set(o, VM_STRONG, o->events[k], me, true);
}

size_t vm_seq_cst_access(struct vm *vm, const struct vm_event_of *event, uint32_t rank)
{
    struct vm_order *o = vm->race.order;
    size_t fresh = VM_NO_EVENT, store = o->list[rank];
    strengthen(vm, store);
    if (event->seq_cst) {
        struct vm_range range = o->items[store].access.range;
        fresh = vm_order_add(o, (struct vm_item){.kind = VM_ITEM_EVENT,
                                                 .access = {vm_order_running(vm), range}});
        o->marks[fresh] = 0;
        order_before(vm, event, store, fresh);
        vm_order_put(o, fresh, vm_order_present(vm), true);
    }
    order_after(vm, rank, fresh);
    if (!event->writes)
        tell_stores(vm, rank, true, fresh);
    return fresh;
}

void vm_seq_cst_store(struct vm *vm, uint32_t rank, size_t event)
{
    struct vm_order *o = vm->race.order;
    uint32_t is = o->list[rank + 1], from = o->list[rank];
    if (!o->nevents)
        return;
    for (size_t k = 0; k < o->nevents; k++)
        if (o->events[k] != event && is_before_next(o, o->events[k], from))
            put_of(o, o->events[k], VM_OF_BEFORE, is);
    for (size_t k = 0; rank + 2 < o->nlist && k < o->nevents; k++) {
        if (is_of(o, o->events[k], VM_OF_AFTER, o->list[rank + 2]))
            put_of(o, o->events[k], VM_OF_AFTER, is);
        if (is_of(o, o->events[k], VM_OF_SEEN, o->list[rank + 2]))
            put_of(o, o->events[k], VM_OF_SEEN, is);
    }
    tell_stores(vm, rank + 1, false, event);
    tell_stores(vm, rank, false, VM_NO_EVENT);
    if (event == VM_NO_EVENT)
        return;
    put_of(o, event, VM_OF_ITSELF, is);
    come_after(o, VM_OF_AFTER, rank + 1, event);
}

void vm_seq_cst_done(struct vm *vm, size_t event)
{
    if (event == VM_NO_EVENT)
        return;
    vm_order_set(vm->race.order, VM_STRONG, event, vm_order_present(vm), true);
    vm_order_set(vm->race.order, VM_SEQUENCED, event, vm_order_present(vm), true);
}

/* ---- fences ---------------------------------------------------------------------- */

/* Returns the last store of the list that happens before what the running thread does;
 * VM_NO_EVENT if there is none. */
static uint32_t last_before(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    uint32_t rank = (uint32_t)o->nlist;
    while (rank && !vm_order_is(o, VM_STRONG, o->list[rank - 1], vm_order_present(vm)))
        rank--;
    return rank ? rank - 1 : (uint32_t)VM_NO_EVENT;
}

/* Orders the thread's fence at a place: events that come before the last store that the thread
 * has seen, or before the last one that happens before the fence, come before the fence; the
 * stores up to that one come before it, too. */
static void fence_place(struct vm *vm, size_t fence)
{
    struct vm_order *o = vm->race.order;
    uint32_t seen = vm_stores_seen(o, vm_order_present(vm)), before = last_before(vm);
    for (size_t k = 0; k < o->nevents && o->events[k] != fence; k++) {
        size_t e = o->events[k];
        if ((is_fence(o, e) && is_of(o, e, VM_OF_BEFORE, o->list[seen])) ||
            (before != VM_NO_EVENT && is_access(o, e) &&
             is_of(o, e, VM_OF_BEFORE, o->list[before])))
            order(o, e, fence);
    }
    come_after(o, VM_OF_SEEN, seen, fence);
    if (before != VM_NO_EVENT)
        come_after(o, VM_OF_AFTER, before, fence);
}

void vm_seq_cst_fence(struct vm *vm)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    size_t fence = vm_order_add(o, (struct vm_item){.kind = VM_ITEM_EVENT,
                                                    .fence = true,
                                                    .access.owner = vm_order_running(vm)});
    for (size_t k = 0; k < o->nevents && o->events[k] != fence; k++) {
        size_t e = o->events[k];
        if (is_fence(o, e) ? vm_order_has(o, e, me) : vm_order_is(o, VM_STRONG, e, me))
            order(o, e, fence);
    }
    vm_stores_each_place(vm, fence_place, fence);
    vm_order_put(o, fence, me, true);
}

/* ---- what is forgotten ----------------------------------------------------------- */

/* Finds the holders that say that an event comes after a store, or after a read of it. */
static const uint64_t *holders_after(struct vm_order *o)
{
    uint64_t *mask = vm_order_mask(o, VM_MASK_AFTER);
    for (uint32_t k = 0; k < o->nholders; k++)
        if (o->holders[k].kind == VM_OF_AFTER || o->holders[k].kind == VM_OF_SEEN)
            vm_order_mask_add(mask, k);
    return mask;
}

/* Can an event that takes place later come before this one?  It is a store or fence then, of
 * which the stores that it came after are still there: a load comes after others only as it
 * takes place. */
static bool can_follow(struct vm_order *o, size_t event, const uint64_t *after)
{
    const uint64_t *row = vm_order_row(o, VM_KNOWN, event);
    for (size_t w = 0; w < o->stride; w++)
        if (row[w] & after[w])
            return true;
    return false;
}

/* Does anything come before the event, or can it still? */
static bool can_close_cycle(struct vm_order *o, size_t event, const uint64_t *after)
{
    return can_follow(o, event, after) ||
           vm_order_knows_any(o, vm_order_seek(o, VM_OF_EVENT, event));
}

/* Is everything that is said of one event also said of the other, but for these holders? */
static bool is_at_most(struct vm_order *o, size_t event, size_t other, const uint64_t *but)
{
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++) {
        const uint64_t *a = vm_order_row(o, plane, event), *b = vm_order_row(o, plane, other);
        for (size_t w = 0; w < o->stride; w++)
            if (a[w] & ~b[w] & ~but[w])
                return false;
    }
    return true;
}

/* Finds the holders of which it does not matter whether the event is known to them and the
 * later one is not: that say what comes before the later event; or, if no other can come before
 * the event any more, what comes before any event.  Of what came before it until now, the order
 * tells without it, being transitive. */
static const uint64_t *holders_besides(struct vm_order *o, size_t event, size_t later,
                                       const uint64_t *after)
{
    if (!can_follow(o, event, after))
        return holders_before(o);
    uint64_t *mask = vm_order_mask(o, VM_MASK_EVENTS);
    vm_order_mask_add(mask, vm_order_seek(o, VM_OF_EVENT, later));
    return mask;
}

/* A later event makes this one superfluous: everything before this event is before the later
 * one, which comes before everything that this event can still come before, and before what
 * comes after this event as far as that matters. */
static bool is_replaced(struct vm_order *o, size_t event, const uint64_t *after)
{
    for (size_t i = 0; i < o->nevents; i++) {
        size_t k = o->events[i];
        if (k != event && o->items[event].fence == o->items[k].fence &&
            (is_fence(o, k) || is_of_place(o, event, k)) && is_of(o, event, VM_OF_EVENT, k) &&
            is_at_most(o, event, k, holders_besides(o, event, k, after)))
            return true;
    }
    return false;
}

void vm_seq_cst_forget(struct vm_order *o)
{
    const uint64_t *after = o->nevents ? holders_after(o) : NULL;
    for (size_t k = 0; k < o->nevents; k++)
        if (!can_close_cycle(o, o->events[k], after) || is_replaced(o, o->events[k], after)) {
            vm_order_drop(o, o->events[k]);
            k = SIZE_MAX; /* from the beginning: others may go now */
        }
}
