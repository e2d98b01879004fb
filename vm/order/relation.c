/* relation.c - see relation.h. */
#include "relation.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "vm/exec/address_space.h"
#include "vm/heap/memory.h"

enum { WORD_BITS = 64 };

/* ---- bits ------------------------------------------------------------------------ */

static uint64_t *word_of(const struct vm_order *o, enum vm_plane plane, size_t item,
                         uint32_t holder)
{
    return &o->bits[plane][item * o->stride + holder / WORD_BITS];
}

static uint64_t bit_of(uint32_t holder)
{
    return (uint64_t)1 << holder % WORD_BITS;
}

uint64_t *vm_order_row(struct vm_order *o, enum vm_plane plane, size_t item)
{
    return &o->bits[plane][item * o->stride];
}

bool vm_order_is(const struct vm_order *o, enum vm_plane plane, size_t item, uint32_t holder)
{
    return holder != VM_NO_HOLDER && *word_of(o, plane, item, holder) & bit_of(holder);
}

void vm_order_set(struct vm_order *o, enum vm_plane plane, size_t item, uint32_t holder,
                  bool on)
{
    uint64_t *word = word_of(o, plane, item, holder), bit = bit_of(holder);
    assert(!on || plane <= (enum vm_plane)o->items[item].kind); /* see relation.h */
    o->changed |= on != ((*word & bit) != 0);
    *word = on ? *word | bit : *word & ~bit;
}

bool vm_order_has(const struct vm_order *o, size_t item, uint32_t holder)
{
    return vm_order_is(o, VM_KNOWN, item, holder);
}

void vm_order_put(struct vm_order *o, size_t item, uint32_t holder, bool knows)
{
    vm_order_set(o, VM_KNOWN, item, holder, knows);
}

bool vm_order_is_known_to(const struct vm_order *o, size_t item, uint32_t only)
{
    for (size_t w = 0; w < o->stride; w++) {
        uint64_t expected = only / WORD_BITS == w ? bit_of(only) : 0;
        if (o->bits[VM_KNOWN][item * o->stride + w] != expected)
            return false;
    }
    return true;
}

/* Returns the word of a holder's column in the first row; NULL if there has been no row. */
static uint64_t *column_of(const struct vm_order *o, enum vm_plane plane, uint32_t holder)
{
    return o->bits[plane] ? o->bits[plane] + holder / WORD_BITS : NULL;
}

void vm_order_join(struct vm_order *o, uint32_t to, uint32_t from)
{
    uint64_t changed = 0;
    if (from == VM_NO_HOLDER || to == from)
        return;
    for (enum vm_plane plane = 0; plane < vm_order_planes(o); plane++) {
        const uint64_t *a = column_of(o, plane, from);
        uint64_t *b = column_of(o, plane, to);
        for (size_t k = 0; k < o->nitems; k++, a += o->stride, b += o->stride) {
            uint64_t fresh = (*a >> from % WORD_BITS & 1) << to % WORD_BITS & ~*b;
            changed |= fresh;
            *b |= fresh;
        }
    }
    o->changed |= changed != 0;
}

void vm_order_settle(struct vm_order *o, uint32_t holder, uint32_t by)
{
    uint64_t changed = 0;
    for (enum vm_plane plane = 0; plane < vm_order_planes(o); plane++) {
        uint64_t *a = column_of(o, plane, holder);
        const uint64_t *b = column_of(o, plane, by);
        for (size_t k = 0; k < o->nitems; k++, a += o->stride, b += o->stride) {
            uint64_t known = (*b >> by % WORD_BITS & 1) << holder % WORD_BITS & *a;
            changed |= known;
            *a &= ~known;
        }
    }
    o->changed |= changed != 0;
}

void vm_order_forget(struct vm_order *o, uint32_t holder)
{
    uint64_t changed = 0, bit = bit_of(holder);
    unsigned planes = holder == VM_NO_HOLDER ? 0 : vm_order_planes(o);
    for (enum vm_plane plane = 0; plane < planes; plane++) {
        uint64_t *a = column_of(o, plane, holder);
        for (size_t k = 0; k < o->nitems; k++, a += o->stride) {
            changed |= *a & bit;
            *a &= ~bit;
        }
    }
    o->changed |= changed != 0;
}

uint64_t *vm_order_mask(struct vm_order *o, enum vm_mask which)
{
    size_t bytes = o->stride * sizeof *o->masks[which];
    if (o->max_masks[which] < o->stride) {
        o->max_masks[which] = o->stride;
        o->masks[which] = vm_resize(o->masks[which], bytes);
    }
    return memset(o->masks[which], 0, bytes);
}

void vm_order_mask_add(uint64_t *mask, uint32_t holder)
{
    mask[holder / WORD_BITS] |= bit_of(holder);
}

bool vm_order_mask_has(const uint64_t *mask, uint32_t holder)
{
    return mask[holder / WORD_BITS] & bit_of(holder);
}

void vm_order_used(const struct vm_order *o, uint64_t *used)
{
    memset(used, 0, o->stride * sizeof *used);
    for (enum vm_plane plane = 0; plane < vm_order_planes(o); plane++)
        for (size_t k = 0; k < o->nitems; k++)
            for (size_t w = 0; w < o->stride; w++)
                used[w] |= o->bits[plane][k * o->stride + w];
}

void vm_order_clear(struct vm_order *o)
{
    if (o->max_called)
        memset(o->called, 0, o->max_called * sizeof *o->called);
    o->nholders = o->nplain = o->nitems = o->nevents = 0;
    o->stride = 1;
    o->next_id = o->free_holder = o->free_id = 0;
    o->kept_items = o->kept_holders = 0;
}

bool vm_order_knows_any(const struct vm_order *o, uint32_t holder)
{
    uint64_t any = 0;
    unsigned planes = holder == VM_NO_HOLDER ? 0 : vm_order_planes(o);
    for (enum vm_plane plane = 0; plane < planes; plane++) {
        const uint64_t *a = column_of(o, plane, holder);
        for (size_t k = 0; k < o->nitems; k++, a += o->stride)
            any |= *a;
    }
    return any & bit_of(holder);
}

/* ---- room ------------------------------------------------------------------------ */

static void reserve(struct vm_order *o)
{
    if (o->nitems * o->stride <= o->max_bits && o->max_bits)
        return;
    o->max_bits = 2 * o->nitems * o->stride + WORD_BITS;
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        o->bits[plane] = vm_resize(o->bits[plane], o->max_bits * sizeof *o->bits[plane]);
}

static void widen_rows(const struct vm_order *o, uint64_t *bits, size_t old)
{
    for (size_t k = o->nitems; k-- > 0;) {
        uint64_t *to = bits + k * o->stride;
        memmove(to, bits + k * old, old * sizeof *to);
        memset(to + old, 0, (o->stride - old) * sizeof *to);
    }
}

/* Makes room for twice as many holders. */
static void widen(struct vm_order *o)
{
    size_t old = o->stride;
    o->stride *= 2;
    reserve(o);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        widen_rows(o, o->bits[plane], old);
}

/* ---- holders --------------------------------------------------------------------- */

static bool is_same(const struct vm_holder *a, const struct vm_holder *b)
{
    return a->kind == b->kind && a->thread == b->thread && a->id == b->id;
}

static uint32_t find_plain(const struct vm_order *o, const struct vm_holder *wanted)
{
    for (size_t k = 0; k < o->nplain; k++)
        if (is_same(&o->holders[o->plain[k]], wanted))
            return o->plain[k];
    return VM_NO_HOLDER;
}

static size_t place_called(struct vm_holder holder)
{
    return (size_t)holder.id * VM_HOLDER_KINDS + holder.kind;
}

uint32_t vm_order_find(const struct vm_order *o, struct vm_holder wanted)
{
    if (!wanted.id)
        return find_plain(o, &wanted);
    size_t at = place_called(wanted);
    return at < o->max_called && o->called[at] ? o->called[at] - 1 : VM_NO_HOLDER;
}

static void index_plain(struct vm_order *o, uint32_t holder)
{
    if (o->nplain == o->max_plain) {
        o->max_plain = o->max_plain ? 2 * o->max_plain : 16;
        o->plain = vm_resize(o->plain, o->max_plain * sizeof *o->plain);
    }
    o->plain[o->nplain++] = holder;
}

static void reserve_called(struct vm_order *o, uint32_t id)
{
    size_t n = ((size_t)id + 1) * VM_HOLDER_KINDS, old = o->max_called;
    if (n <= old)
        return;
    o->max_called = 2 * n;
    o->called = vm_resize(o->called, o->max_called * sizeof *o->called);
    memset(o->called + old, 0, (o->max_called - old) * sizeof *o->called);
}

static void index_called(struct vm_order *o, uint32_t holder)
{
    reserve_called(o, o->holders[holder].id);
    o->called[place_called(o->holders[holder])] = holder + 1;
}

static uint32_t append_holder(struct vm_order *o)
{
    if (o->nholders == o->max_holders) {
        o->max_holders = o->max_holders ? 2 * o->max_holders : 16;
        o->holders = vm_resize(o->holders, o->max_holders * sizeof *o->holders);
    }
    if (o->nholders == o->stride * WORD_BITS)
        widen(o);
    return (uint32_t)o->nholders++;
}

static uint32_t reuse_holder(struct vm_order *o)
{
    uint32_t holder = o->free_holder - 1;
    o->free_holder = o->holders[holder].id;
    return holder;
}

uint32_t vm_order_holder(struct vm_order *o, struct vm_holder wanted)
{
    uint32_t found = vm_order_find(o, wanted);
    if (found != VM_NO_HOLDER)
        return found;
    uint32_t fresh = o->free_holder ? reuse_holder(o) : append_holder(o);
    o->holders[fresh] = wanted;
    if (wanted.id)
        index_called(o, fresh);
    else
        index_plain(o, fresh);
    return fresh;
}

static void drop_plain(struct vm_order *o, uint32_t holder)
{
    size_t k = 0;
    while (k < o->nplain && o->plain[k] != holder)
        k++;
    if (k < o->nplain)
        o->plain[k] = o->plain[--o->nplain];
}

void vm_order_drop_holder(struct vm_order *o, uint32_t holder)
{
    const struct vm_holder was = o->holders[holder];
    vm_order_forget(o, holder);
    if (was.id)
        o->called[place_called(was)] = 0;
    else
        drop_plain(o, holder);
    o->holders[holder] = (struct vm_holder){.id = o->free_holder, .kind = VM_OF_NOBODY};
    if (o->stays)
        o->free_holder = holder + 1;
}

uint64_t vm_order_running(const struct vm *vm)
{
    return vm->s.reg[VM_REG_USER];
}

static struct vm_holder of_running(const struct vm *vm, enum vm_holder_kind kind)
{
    return (struct vm_holder){.thread = vm_order_running(vm), .kind = kind};
}

uint32_t vm_order_present(struct vm *vm)
{
    return vm_order_holder(vm->race.order, of_running(vm, VM_OF_THREAD));
}

uint32_t vm_order_pending(struct vm *vm)
{
    return vm_order_holder(vm->race.order, of_running(vm, VM_OF_ACQUIRE));
}

uint32_t vm_order_fixed(const struct vm *vm)
{
    return vm_order_find(vm->race.order, of_running(vm, VM_OF_RELEASE));
}

struct vm_holder vm_order_object(const struct vm *vm, uint64_t p)
{
    return (struct vm_holder){.thread = p ? vm_address_space_place(vm, p) : 0,
                              .kind = VM_OF_KERNEL};
}

uint32_t vm_order_kernel(const struct vm *vm, uint64_t p)
{
    return vm_order_find(vm->race.order, vm_order_object(vm, p));
}

uint32_t vm_order_of(struct vm_order *o, enum vm_holder_kind kind, size_t item)
{
    return vm_order_holder(o, (struct vm_holder){.id = o->items[item].id, .kind = kind});
}

uint32_t vm_order_seek(const struct vm_order *o, enum vm_holder_kind kind, size_t item)
{
    return vm_order_find(o, (struct vm_holder){.id = o->items[item].id, .kind = kind});
}

/* ---- items ----------------------------------------------------------------------- */

static uint64_t *row_of(const struct vm_order *o, enum vm_plane plane, size_t item)
{
    return o->bits[plane] + item * o->stride;
}

static void copy_row(struct vm_order *o, enum vm_plane plane, size_t to, size_t from)
{
    memmove(row_of(o, plane, to), row_of(o, plane, from), o->stride * sizeof(uint64_t));
}

static void forget_holders(struct vm_order *o, uint32_t id)
{
    for (enum vm_holder_kind kind = 0; kind < VM_HOLDER_KINDS; kind++) {
        struct vm_holder holder = {.id = id, .kind = kind};
        uint32_t at = vm_order_find(o, holder);
        if (at != VM_NO_HOLDER)
            vm_order_drop_holder(o, at);
    }
}

/* Returns where in `called` a free id names the next one. */
static uint32_t *next_free(struct vm_order *o, uint32_t id)
{
    return &o->called[place_called((struct vm_holder){.id = id, .kind = VM_OF_NOBODY})];
}

static uint32_t take_id(struct vm_order *o)
{
    uint32_t id = o->free_id;
    if (!id)
        return ++o->next_id;
    o->free_id = *next_free(o, id);
    *next_free(o, id) = 0;
    return id;
}

static void free_id(struct vm_order *o, uint32_t id)
{
    if (!o->stays)
        return;
    reserve_called(o, id);
    *next_free(o, id) = o->free_id;
    o->free_id = id;
}

static void add_event(struct vm_order *o, size_t item)
{
    if (o->nevents == o->max_events) {
        o->max_events = o->max_events ? 2 * o->max_events : 16;
        o->events = vm_resize(o->events, o->max_events * sizeof *o->events);
    }
    o->events[o->nevents++] = (uint32_t)item;
}

/* An item is dropped, whose place the last one takes. */
static void drop_event(struct vm_order *o, size_t item, size_t last)
{
    size_t at = 0;
    if (o->items[item].kind == VM_ITEM_EVENT) {
        while (o->events[at] != item)
            at++;
        memmove(o->events + at, o->events + at + 1, (--o->nevents - at) * sizeof *o->events);
    }
    if (item == last || o->items[last].kind != VM_ITEM_EVENT)
        return;
    for (at = o->nevents - 1; at && o->events[at - 1] > item; at--)
        o->events[at] = o->events[at - 1];
    o->events[at] = (uint32_t)item;
}

size_t vm_order_add(struct vm_order *o, struct vm_item item)
{
    if (o->nitems == o->max_items) {
        o->max_items = o->max_items ? 2 * o->max_items : 16;
        o->items = vm_resize(o->items, o->max_items * sizeof *o->items);
        o->places = vm_resize(o->places, o->max_items * sizeof *o->places);
    }
    item.id = item.kind == VM_ITEM_ACCESS ? 0 : take_id(o);
    o->places[o->nitems] = vm_order_place(&item);
    o->items[o->nitems++] = item;
    if (item.kind == VM_ITEM_EVENT)
        add_event(o, o->nitems - 1);
    reserve(o);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        memset(row_of(o, plane, o->nitems - 1), 0, o->stride * sizeof(uint64_t));
    o->changed = true;
    return o->nitems - 1;
}

void vm_order_copy_row(struct vm_order *o, size_t to, size_t from)
{
    copy_row(o, VM_KNOWN, to, from);
}

void vm_order_drop(struct vm_order *o, size_t item)
{
    uint32_t id = o->items[item].id;
    if (id) {
        forget_holders(o, id);
        free_id(o, id);
    }
    size_t last = --o->nitems;
    drop_event(o, item, last);
    o->items[item] = o->items[last];
    o->places[item] = o->places[last];
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        copy_row(o, plane, item, last);
    o->changed = true;
}
