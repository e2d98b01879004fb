/* relation_test.c - who knows of what (vm/order/relation.h), against sets that are kept
 * plainly.
 *
 * Random items and holders come and go, more of both than a word has bits; after each step the
 * bits of all planes are compared with those of a list here, and holders are found by what they
 * are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/mix.h"
#include "vm/order/order.h"
#include "vm/order/relation.h"

enum { MOST_ITEMS = 40, MOST_HOLDERS = 150, STEPS = 4000, RUNS = 20 };

/* What there should be: of each item its id, and the bits by holders' numbers there. */
struct plain {
    struct vm_order *order;
    size_t nitems, nholders;
    uint32_t id[MOST_ITEMS];
    bool bit[VM_PLANES][MOST_ITEMS][MOST_HOLDERS];
    struct vm_holder holder[MOST_HOLDERS];
};

static void compare(const struct plain *p)
{
    const struct vm_order *o = p->order;
    assert_int_equal(o->nitems, p->nitems);
    for (size_t item = 0; item < p->nitems; item++) {
        assert_int_equal(o->items[item].id, p->id[item]);
        for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
            for (uint32_t h = 0; h < p->nholders; h++)
                assert_int_equal(vm_order_is(o, plane, item, h), p->bit[plane][item][h]);
    }
    size_t events = 0;
    for (size_t item = 0; item < p->nitems; item++)
        if (o->items[item].kind == VM_ITEM_EVENT)
            assert_int_equal(o->events[events++], item);
    assert_int_equal(o->nevents, events);
    for (uint32_t h = 0; h < p->nholders; h++)
        assert_int_equal(vm_order_find(o, p->holder[h]),
                         p->holder[h].kind == VM_OF_NOBODY ? VM_NO_HOLDER : h);
}

static void add_item(struct plain *p, uint64_t choice)
{
    if (p->nitems == MOST_ITEMS)
        return;
    size_t at =
        vm_order_add(p->order, (struct vm_item){.kind = (enum vm_item_kind)(choice % 3)});
    assert_int_equal(at, p->nitems);
    p->id[at] = p->order->items[at].id;
    assert_int_equal(p->id[at] == 0, choice % 3 == VM_ITEM_ACCESS);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        memset(p->bit[plane][at], 0, sizeof p->bit[plane][at]);
    p->nitems++;
}

/* Of a thread, or what a store or event passes on. */
static void add_holder(struct plain *p, uint64_t choice)
{
    uint32_t id = p->nitems ? p->id[choice % p->nitems] : 0;
    struct vm_holder holder = {
        .thread = id ? 0 : choice % 64 + 1,
        .id = id,
        .kind = (enum vm_holder_kind)(id ? VM_OF_STORE + choice % 5 : choice % 3)};
    if (p->nholders == MOST_HOLDERS)
        return;
    uint32_t at = vm_order_holder(p->order, holder);
    assert_true(at <= p->nholders);
    if (at < p->nholders && p->holder[at].kind != VM_OF_NOBODY)
        return;
    assert_true(at == p->nholders || p->order->stays); /* then one that is gone is used again */
    p->holder[at] = holder;
    p->nholders += at == p->nholders;
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        for (size_t item = 0; item < p->nitems; item++)
            p->bit[plane][item][at] = false;
}

static void forget_here(struct plain *p, size_t holder)
{
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        for (size_t item = 0; item < p->nitems; item++)
            p->bit[plane][item][holder] = false;
}

/* The last item takes its place, and what it passed on is forgotten. */
static void drop_item(struct plain *p, size_t item)
{
    for (size_t h = 0; h < p->nholders; h++)
        if (p->id[item] && p->holder[h].id == p->id[item]) {
            forget_here(p, h);
            p->holder[h] = (struct vm_holder){.kind = VM_OF_NOBODY};
        }
    vm_order_drop(p->order, item);
    p->nitems--;
    p->id[item] = p->id[p->nitems];
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        memcpy(p->bit[plane][item], p->bit[plane][p->nitems], sizeof p->bit[plane][item]);
}

static void join(struct plain *p, size_t to, size_t from)
{
    vm_order_join(p->order, (uint32_t)to, (uint32_t)from);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        for (size_t item = 0; item < p->nitems; item++)
            p->bit[plane][item][to] |= p->bit[plane][item][from];
}

static void settle(struct plain *p, size_t holder, size_t by)
{
    vm_order_settle(p->order, (uint32_t)holder, (uint32_t)by);
    for (enum vm_plane plane = 0; plane < VM_PLANES; plane++)
        for (size_t item = 0; item < p->nitems; item++)
            p->bit[plane][item][holder] &= !p->bit[plane][item][by];
}

/* The first plane says something of each item, the second one of stores and events, and the
 * third one of events. */
static void change_bit(struct plain *p, size_t item, size_t holder, uint64_t choice)
{
    enum vm_plane plane =
        (enum vm_plane)(choice % VM_PLANES % (1 + (unsigned)p->order->items[item].kind));
    bool on = choice / VM_PLANES % 4;
    vm_order_set(p->order, plane, item, (uint32_t)holder, on);
    p->bit[plane][item][holder] = on;
}

static void step(struct plain *p, uint64_t choice)
{
    uint64_t a = mix(choice), b = mix(a), c = mix(b);
    if (choice % 16 == 0)
        add_item(p, a);
    else if (choice % 16 == 1)
        add_holder(p, a);
    if (choice % 16 < 2 || !p->nitems || !p->nholders)
        return;
    size_t item = a % p->nitems, holder = b % p->nholders, other = c % p->nholders;
    if (p->holder[holder].kind == VM_OF_NOBODY || p->holder[other].kind == VM_OF_NOBODY)
        return;
    if (choice % 64 == 2) {
        drop_item(p, item);
    } else if (choice % 64 == 18) {
        vm_order_forget(p->order, (uint32_t)holder);
        forget_here(p, holder);
    } else if (choice % 64 == 34 && holder != other) {
        settle(p, holder, other);
    } else if (choice % 16 < 5) {
        join(p, holder, other);
    } else {
        change_bit(p, item, holder, c);
    }
}

static void is_as_plain_sets(void **state)
{
    static struct plain p;
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        memset(&p, 0, sizeof p);
        p.order = vm_order_new(true, true, run % 2);
        for (uint64_t k = 0; k < STEPS; k++) {
            step(&p, mix(run << 32 | k) >> 7);
            if (k % 50 == 0)
                compare(&p);
        }
        compare(&p);
        vm_order_free(p.order);
    }
}

static void steps(struct plain *p, uint64_t seed, uint64_t n)
{
    for (uint64_t k = 0; k < n; k++)
        step(p, mix(seed << 32 | k) >> 7);
}

/* Whatever comes between; and the search goes on from there. */
static void copy_is_equal(void **state)
{
    static struct plain p, was;
    (void)state;
    for (uint64_t run = 0; run < RUNS; run++) {
        memset(&p, 0, sizeof p);
        struct vm_order *order = p.order = vm_order_new(true, true, run % 2);
        steps(&p, run, run % 4 * STEPS / 4);
        struct vm_order *copy = vm_order_copy(order);
        was = p;
        if (run % 3)
            steps(&p, RUNS + run, STEPS / 4);
        else
            vm_order_reset(order);
        vm_order_restore(order, copy);
        p = was;
        compare(&p);
        steps(&p, 2 * RUNS + run, STEPS / 4);
        compare(&p);
        vm_order_free(copy);
        vm_order_free(order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_as_plain_sets),
        cmocka_unit_test(copy_is_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
