/* copy.c - copies of the relation, for marks of the machine.  A copy is one block of memory. */
#include <stdlib.h>
#include <string.h>

#include "order.h"
#include "relation.h"
#include "vm/heap/memory.h"

static void drop_arrays(struct vm_order *o)
{
    free(o->holders);
    free(o->plain);
    free(o->called);
    free(o->items);
    free(o->places);
    free(o->events);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        free(o->bits[plane]);
    free(o->list);
    free(o->marks);
    free(o->options);
    free(o->knowers);
    for (enum vm_mask which = 0; which < VM_MASKS; which++)
        free(o->masks[which]);
}

void vm_order_free(struct vm_order *o)
{
    if (!o)
        return;
    if (!o->is_copy)
        drop_arrays(o);
    free(o);
}

/* The bytes of each array that are in use. */
struct extent {
    size_t holders, plain, called, items, events, bits;
};

static struct extent extent_of(const struct vm_order *o)
{
    size_t called = ((size_t)o->next_id + 1) * VM_HOLDER_KINDS;
    return (struct extent){
        .holders = o->nholders * sizeof *o->holders,
        .plain = o->nplain * sizeof *o->plain,
        .called = (called < o->max_called ? called : o->max_called) * sizeof *o->called,
        .items = o->nitems * sizeof *o->items,
        .events = o->nevents * sizeof *o->events,
        .bits = o->nitems * o->stride * sizeof *o->bits[0],
    };
}

static size_t rounded(size_t bytes)
{
    enum { ALIGNMENT = 16 };
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns where in the block the copy of an array is. */
static void *put(char **at, const void *from, size_t bytes)
{
    void *to = *at;
    if (bytes)
        memcpy(to, from, bytes);
    *at += rounded(bytes);
    return to;
}

size_t vm_order_size(const struct vm_order *o)
{
    struct extent n = extent_of(o);
    return rounded(sizeof *o) + rounded(n.holders) + rounded(n.plain) + rounded(n.called) +
           rounded(n.items) + rounded(n.events) + VM_PLANES * rounded(n.bits);
}

struct vm_order *vm_order_copy(const struct vm_order *o)
{
    struct extent n = extent_of(o);
    char *at = vm_alloc(vm_order_size(o));
    struct vm_order *copy = put(&at, o, sizeof *o);
    copy->holders = put(&at, o->holders, n.holders);
    copy->plain = put(&at, o->plain, n.plain);
    copy->called = put(&at, o->called, n.called);
    copy->items = put(&at, o->items, n.items);
    copy->events = put(&at, o->events, n.events);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        copy->bits[plane] = put(&at, o->bits[plane], n.bits);
    copy->places = NULL;
    copy->is_copy = true;
    return copy;
}

/* Puts n elements into an array that has room for *max. */
static void *get(void *to, size_t *max, const void *from, size_t n, size_t size)
{
    if (n > *max) {
        *max = 2 * n;
        to = vm_resize(to, *max * size);
    }
    return n ? memcpy(to, from, n * size) : to;
}

static void get_items(struct vm_order *o, const struct vm_order *copy)
{
    size_t max = o->max_items;
    o->items = get(o->items, &o->max_items, copy->items, copy->nitems, sizeof *o->items);
    if (o->max_items > max)
        o->places = vm_resize(o->places, o->max_items * sizeof *o->places);
    for (size_t k = 0; k < copy->nitems; k++)
        o->places[k] = vm_order_place(&copy->items[k]);
    o->events = get(o->events, &o->max_events, copy->events, copy->nevents, sizeof *o->events);
    o->nitems = copy->nitems;
    o->nevents = copy->nevents;
}

static void get_bits(struct vm_order *o, const struct vm_order *copy)
{
    size_t n = copy->nitems * copy->stride, max = o->max_bits;
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++) {
        max = o->max_bits;
        o->bits[plane] = get(o->bits[plane], &max, copy->bits[plane], n, sizeof *o->bits[0]);
    }
    o->max_bits = max;
}

static void get_called(struct vm_order *o, const struct vm_order *copy)
{
    size_t n = extent_of(copy).called / sizeof *o->called;
    size_t old = extent_of(o).called / sizeof *o->called;
    if (old > n)
        memset(o->called + n, 0, (old - n) * sizeof *o->called);
    old = o->max_called;
    o->called = get(o->called, &o->max_called, copy->called, n, sizeof *o->called);
    if (o->max_called > old)
        memset(o->called + n, 0, (o->max_called - n) * sizeof *o->called);
}

void vm_order_restore(struct vm_order *o, const struct vm_order *copy)
{
    get_called(o, copy); /* it asks how many ids there are */
    o->holders =
        get(o->holders, &o->max_holders, copy->holders, copy->nholders, sizeof *o->holders);
    o->plain = get(o->plain, &o->max_plain, copy->plain, copy->nplain, sizeof *o->plain);
    get_items(o, copy);
    get_bits(o, copy);
    o->nholders = copy->nholders;
    o->nplain = copy->nplain;
    o->stride = copy->stride;
    o->next_id = copy->next_id;
    o->free_holder = copy->free_holder;
    o->free_id = copy->free_id;
    o->kept_items = copy->kept_items;
    o->kept_holders = copy->kept_holders;
    o->changed = copy->changed;
}
