/* accesses.c - plain accesses, and which of them race (order.h). */
#include "mixed.h"
#include "order.h"
#include "relation.h"
#include "vm/exec/address_space.h"
#include "vm/exec/listen.h"
#include "vm/exec/mode.h"

static bool meets(const struct vm_range *a, const struct vm_range *b)
{
    return a->object == b->object && a->start < b->end && b->start < a->end;
}

static bool covers(const struct vm_range *a, const struct vm_range *b)
{
    return a->object == b->object && a->start <= b->start && b->end <= a->end;
}

static struct vm_range range_of(const struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    return (struct vm_range){
        .object = vm_ptr_object(vm_address_space_place(vm, p)),
        .start = (uint32_t)p,
        .end = (uint32_t)((uint32_t)p + size),
        .kind = write ? VM_WRITES : VM_READS,
    };
}

/* Returns by what the running thread knows of items; VM_NO_HOLDER if it knows of none. */
static uint32_t holder_of_running(const struct vm *vm)
{
    struct vm_holder running = {.thread = vm_order_running(vm), .kind = VM_OF_THREAD};
    return vm_order_find(vm->race.order, running);
}

/* Returns the access that an item is, or NULL. */
static const struct vm_entry *access_of(const struct vm_order *o, size_t item)
{
    return o->items[item].kind == VM_ITEM_ACCESS ? &o->items[item].access : NULL;
}

static bool is_plain(const struct vm_entry *access)
{
    return !(access->range.kind & VM_ATOMICALLY);
}

/* Does the item stand for all atomic accesses of an object by a thread? */
static bool is_use(const struct vm_order *o, size_t item)
{
    return o->items[item].access.range.kind & VM_USES;
}

/* Is the item a store that the thread has not seen?  A plain access of the same bytes races
 * with it. */
static bool is_unseen(const struct vm_order *o, size_t item, const struct vm_range *now,
                      uint32_t me)
{
    const struct vm_item *is = &o->items[item];
    return is->kind == VM_ITEM_STORE && is->rank && meets(&is->access.range, now) &&
           !vm_order_has(o, item, me);
}

const struct vm_entry *vm_order_conflict(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    const struct vm_order *o = vm->race.order;
    struct vm_range now = range_of(vm, p, size, write);
    uint64_t running = vm_order_running(vm);
    uint32_t me = holder_of_running(vm);
    bool whole = false;
    for (size_t k = 0; k < o->nitems; k++) {
        const struct vm_entry *then = access_of(o, k);
        if (!then || !is_plain(then) || then->owner == running || !meets(&then->range, &now) ||
            !(write || then->range.kind & VM_WRITES) || vm_order_has(o, k, me))
            continue;
        if (!(then->range.kind & VM_AS_A_WHOLE))
            return then;
        whole = true;
    }
    if (whole)
        vm_break(vm, VM_ASSUMES_WHOLE);
    return NULL;
}

/* Is the item an atomic access that a plain one races with, if it did not happen before? */
static bool is_mixed(const struct vm *vm, size_t item, const struct vm_range *now)
{
    const struct vm_entry *then = access_of(vm->race.order, item);
    return then && !is_plain(then) && then->owner != vm_order_running(vm) &&
           meets(&then->range, now) && (now->kind | then->range.kind) & VM_WRITES;
}

const struct vm_entry *vm_order_use(struct vm *vm, uint64_t p, uint64_t size)
{
    const struct vm_order *o = vm->race.order;
    struct vm_range now = range_of(vm, p, size, true);
    uint32_t me = holder_of_running(vm);
    vm_mixed_note_end(vm, p);
    for (size_t k = 0; k < o->nitems; k++)
        if (is_mixed(vm, k, &now) && !vm_order_has(o, k, me))
            return &o->items[k].access;
    return NULL;
}

const struct vm_entry *vm_order_unordered(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    const struct vm_order *o = vm->race.order;
    struct vm_range now = range_of(vm, p, size, write);
    uint32_t me = holder_of_running(vm);
    vm_mixed_note(vm, p, size, write ? VM_PLAIN_WRITE : VM_PLAIN_READ);
    for (size_t k = 0; k < o->nitems; k++)
        if (is_unseen(o, k, &now, me) ||
            (is_mixed(vm, k, &now) && !is_use(o, k) && !vm_order_has(o, k, me)))
            return &o->items[k].access;
    return NULL;
}

/* Does an access race with whatever another one of the same bytes does? */
static bool is_as_strong(uint32_t kind, uint32_t other)
{
    return (kind & VM_WRITES || other & VM_READS) &&
           (!(kind & VM_ATOMICALLY) || other & VM_ATOMICALLY) &&
           (!(kind & VM_USES) || other & VM_USES);
}

/* Has the thread an item that says so already, and is what else it says the same? */
static bool is_said(const struct vm *vm, const struct vm_range *now, uint32_t me)
{
    const struct vm_order *o = vm->race.order;
    for (size_t k = 0; k < o->nitems; k++) {
        const struct vm_entry *then = access_of(o, k);
        if (then && then->owner == vm_order_running(vm) &&
            is_as_strong(then->range.kind, now->kind) && covers(&then->range, now) &&
            vm_order_is_known_to(o, k, me))
            return true;
    }
    return false;
}

/* Drops earlier accesses that happened before this one and that it covers: whatever would race
 * with them races with this access, too. */
static void supersede(struct vm_order *o, const struct vm_range *now, uint32_t me)
{
    for (size_t k = o->nitems; k-- > 0;) {
        const struct vm_entry *then = access_of(o, k);
        if (then && covers(now, &then->range) && is_as_strong(now->kind, then->range.kind) &&
            vm_order_has(o, k, me))
            vm_order_drop(o, k);
    }
}

/* Unites accesses of one kind and next to each other that only this thread knows of. */
static void unite(const struct vm *vm, struct vm_range *now, uint32_t me)
{
    struct vm_order *o = vm->race.order;
    for (size_t k = o->nitems; k-- > 0;) {
        const struct vm_entry *then = access_of(o, k);
        if (!then || then->owner != vm_order_running(vm) || then->range.kind != now->kind ||
            then->range.object != now->object || then->range.start > now->end ||
            now->start > then->range.end || !vm_order_is_known_to(o, k, me))
            continue;
        now->start = then->range.start < now->start ? then->range.start : now->start;
        now->end = then->range.end > now->end ? then->range.end : now->end;
        vm_order_drop(o, k);
    }
}

static size_t make(struct vm *vm, struct vm_range range)
{
    return vm_order_add(
        vm->race.order,
        (struct vm_item){.kind = VM_ITEM_ACCESS, .access = {vm_order_running(vm), range}});
}

void vm_order_note(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    struct vm_order *o = vm->race.order;
    struct vm_range now = range_of(vm, p, size, write);
    uint32_t me = vm_order_present(vm);
    if (is_said(vm, &now, me))
        return;
    vm_note_access(vm, &now);
    supersede(o, &now, me);
    unite(vm, &now, me);
    vm_order_put(o, make(vm, now), me, true);
}

/* Nobody is left with whom an access could race. */
static bool is_alone(const struct vm *vm)
{
    return vm->s.alone || vm->s.reg[VM_REG_FLAGS] & VM_FLAG_ALONE;
}

/* Remembers an atomic access. */
static void remember(struct vm *vm, const struct vm_range *now)
{
    struct vm_order *o = vm->race.order;
    uint32_t me = vm_order_present(vm);
    if (is_said(vm, now, me))
        return;
    supersede(o, now, me);
    vm_order_put(o, make(vm, *now), me, true);
}

/* Does the end of the object have to come after what threads do to it from now on?  Global
 * variables and constants do not end, and what was done to an object before others could reach
 * it is known when it is shared (vm_order_share). */
static bool can_end(const struct vm *vm, uint64_t object)
{
    const struct vm_obj *o =
        vm_ptr_region(object) <= VM_ID_FRAME ? vm_heap_get(&vm->heap, object) : NULL;
    return o && o->flags & VM_SHARED;
}

/* Returns what stands for all atomic accesses of an object by a thread. */
static struct vm_range use_of(const struct vm *vm, uint64_t object)
{
    uint32_t size = vm_heap_get(&vm->heap, object)->size;
    return (struct vm_range){
        .object = object, .end = size ? size : 1, .kind = VM_READS | VM_ATOMICALLY | VM_USES};
}

void vm_order_note_atomic(struct vm *vm, uint64_t p, uint64_t size, bool write)
{
    if (is_alone(vm) || !vm->options.report_races)
        return;
    vm_mixed_note(vm, p, size, write ? VM_ATOMIC_WRITE : VM_ATOMIC_READ);
    struct vm_range now = range_of(vm, p, size, write);
    now.kind |= VM_ATOMICALLY;
    bool ends = can_end(vm, now.object);
    if (ends)
        vm_mixed_note_use(vm, p);
    if (vm->options.mixed_accesses || (vm->options.atomic_uses && ends))
        vm_note_access(vm, &now);
    if (vm->options.mixed_accesses)
        remember(vm, &now);
    if (vm->options.atomic_uses && ends) {
        struct vm_range use = use_of(vm, now.object);
        remember(vm, &use);
    }
}

void vm_order_share(struct vm *vm, uint64_t p, uint32_t size)
{
    struct vm_order *o = vm->race.order;
    if (!size || !vm_order_running(vm) || is_alone(vm) ||
        !(vm->options.report_races || o->values))
        return; /* there is nobody whom it would not happen before */
    struct vm_range now = range_of(vm, vm_ptr_object(p), size, true);
    now.kind |= VM_AS_A_WHOLE;
    bool kernel = vm_masked(vm) && !vm_in_section(vm);
    size_t item = make(vm, now);
    vm_order_put(o, item, vm_order_present(vm), true);
    if (kernel)
        vm_order_put(o, item, vm_order_holder(o, vm_order_object(vm, 0)), true);
}
