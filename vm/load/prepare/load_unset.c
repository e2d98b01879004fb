/* load_unset.c - local variables that may be read before they are set, or used after they have
 * ended.  mem2reg takes what is not set for whatever suits: of "set here, or not at all" it
 * makes "set here", and the author's error would be gone.  In memory they keep it, and their
 * names with it. */
#include <stdlib.h>
#include <string.h>

#include "vm/heap/memory.h"
#include "vm/load/prepare/load_order.h"
#include "vm/load/prepare/load_scope.h"
#include "vm/load/table.h"

/* ---- forwards through the blocks ------------------------------------------------- */

/* What a use does to the facts that hold before it: each fact is a bit. */
typedef uint64_t effect(uint64_t facts, const struct load_use *u);

static uint64_t bytes_set(uint64_t facts, const struct load_use *u)
{
    return u->mark ? 0 : u->writes ? facts | u->bytes : facts;
}

static uint64_t not_ended(uint64_t facts, const struct load_use *u)
{
    return u->mark == LOAD_ENDS ? 0 : u->mark == LOAD_BEGINS ? 1 : facts;
}

static uint64_t begun(uint64_t facts, const struct load_use *u)
{
    return u->mark == LOAD_BEGINS ? 1 : facts;
}

static int by_place(const void *x, const void *y, void *order)
{
    const struct load_use *a = x, *b = y;
    struct load_order *o = order;
    uint32_t p = load_order_block(o, a->i), q = load_order_block(o, b->i);
    if (p == q)
        p = map_get(&o->places, a->i), q = map_get(&o->places, b->i);
    return p < q ? -1 : p > q;
}

struct flow {
    const uint64_t *gives, *leaves; /* per block: facts that it adds, facts that it does not
                                     * take away */
    uint64_t *in;                   /* per edge: facts that hold there */
    uint8_t *reached;
    uint32_t nblocks;
    bool changed;
};

static void flow_on(void *flow, uint32_t from, uint32_t to)
{
    struct flow *f = flow;
    uint32_t b = from % f->nblocks;
    uint64_t left = f->in[to] & ((f->in[from] & f->leaves[b]) | f->gives[b]);
    f->changed |= left != f->in[to] || !f->reached[to];
    f->in[to] = left;
    f->reached[to] = 1;
}

/* Drops facts from each edge that do not hold on all edges before it, until nothing changes. */
static void flow_all(struct load_order *o, struct flow *f)
{
    do {
        f->changed = false;
        for (uint32_t at = 0; at < load_order_edges(o); at++)
            if (f->reached[at])
                load_order_follow(o, at, flow_on, f);
    } while (f->changed);
}

static uint64_t holds_in(struct load_order *o, const struct flow *f, uint32_t b)
{
    uint64_t facts = ~0ull;
    for (uint32_t at = b; at < load_order_edges(o); at += o->n)
        facts &= f->reached[at] ? f->in[at] : ~0ull;
    return facts;
}

/* Is there a use that lacks a fact which it needs?  Every path to the use must have established
 * the fact.  Sorts the uses. */
static bool lacks(struct load_order *o, struct load_use *uses, size_t n, effect *effect,
                  uint64_t first, uint64_t (*needs)(const struct load_use *u, uint64_t context),
                  uint64_t context)
{
    uint32_t edges = load_order_edges(o);
    uint64_t *gives = vm_alloc((2 * o->n + edges) * sizeof *gives), *leaves = gives + o->n,
             facts = 0;
    struct flow f = {gives, leaves, leaves + o->n, vm_alloc(edges), o->n, false};
    bool lacking = false;
    if (n)
        qsort_r(uses, n, sizeof *uses, by_place, o);
    memset(gives, 0, o->n * sizeof *gives);
    memset(leaves, 0xff, (o->n + edges) * sizeof *leaves);
    memset(f.reached, 0, edges);
    f.in[0] = first;
    f.reached[0] = 1;
    for (size_t k = 0; k < n; k++) {
        uint32_t b = load_order_block(o, uses[k].i);
        gives[b] = effect(gives[b], &uses[k]);
        leaves[b] = effect(leaves[b], &uses[k]);
    }
    flow_all(o, &f);
    for (size_t k = 0; k < n && !lacking; k++) {
        uint32_t b = load_order_block(o, uses[k].i);
        if (k == 0 || load_order_block(o, uses[k - 1].i) != b)
            facts = holds_in(o, &f, b);
        lacking = needs(&uses[k], context) & ~facts;
        facts = effect(facts, &uses[k]);
    }
    free(gives);
    free(f.reached);
    return lacking;
}

/* ---- what is asked --------------------------------------------------------------- */

/* Returns the bytes that a use reads.  Copying bytes that nobody ever stores, as padding, does
 * not count. */
static uint64_t reads(const struct load_use *u, uint64_t stored)
{
    return u->writes || u->mark ? 0 : u->copies ? u->bytes & stored : u->bytes;
}

static uint64_t uses_it(const struct load_use *u, uint64_t unused)
{
    (void)unused;
    return u->mark ? 0 : 1;
}

bool load_maybe_unset(struct load_order *o, struct load_use *uses, size_t n)
{
    uint64_t stored = 0;
    for (size_t k = 0; k < n; k++)
        stored |= uses[k].writes && !uses[k].copies ? uses[k].bytes : 0;
    return lacks(o, uses, n, bytes_set, 0, reads, stored);
}

bool load_maybe_ended(struct load_order *o, struct load_use *uses, size_t n)
{
    return lacks(o, uses, n, not_ended, 1, uses_it, 0);
}

bool load_always_begun(struct load_order *o, struct load_use *uses, size_t n)
{
    return !lacks(o, uses, n, begun, 0, uses_it, 0);
}
