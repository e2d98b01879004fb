/* memory_orders_test.c - which stores an atomic access may read or follow (vm/order/), against
 * the axioms of RC11 on whole graphs of events.
 *
 * Threads without code load, store, exchange and fence at random, with random orders.  Beside
 * the machine, which forgets what nobody can read any more, stands the graph of all events so
 * far.  Before each access the alternatives that the machine offers are compared with those
 * after which the graph has no forbidden cycle; one of these is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/bare.h"
#include "vm/exec/listen.h"
#include "vm/exec/race.h"
#include "vm/order/order.h"

enum { THREADS = 4, PLACES = BARE_GLOBALS, SIZE = 8, MOST = 18, RUNS = 4000 };

/* ---- the graph ------------------------------------------------------------------- */

/* An event is a load, a store, a read-modify-write or a fence.  The first events are the
 * initial stores of the places. */
struct event {
    int thread; /* -1: initial */
    unsigned place;
    bool reads, writes, fence, acquires, releases, seq_cst;
    unsigned from; /* the store that it reads */
};

struct graph {
    struct event event[MOST];
    unsigned n;
    unsigned order[PLACES][MOST]; /* modification order */
    unsigned stores[PLACES];
};

/* A relation: of each event those that it relates to, as bits. */
typedef uint32_t relation[MOST];

static void unite(relation into, const relation from)
{
    for (unsigned k = 0; k < MOST; k++)
        into[k] |= from[k];
}

static void compose(relation into, const relation a, const relation b)
{
    for (unsigned k = 0; k < MOST; k++) {
        into[k] = 0;
        for (uint32_t left = a[k]; left; left &= left - 1)
            into[k] |= b[__builtin_ctz(left)];
    }
}

static void close(relation r)
{
    for (unsigned via = 0; via < MOST; via++)
        for (unsigned k = 0; k < MOST; k++)
            if (r[k] >> via & 1)
                r[k] |= r[via];
}

static bool is_reflexive(const relation r)
{
    for (unsigned k = 0; k < MOST; k++)
        if (r[k] >> k & 1)
            return true;
    return false;
}

static void sequenced(const struct graph *g, relation sb)
{
    memset(sb, 0, sizeof(relation));
    for (unsigned a = 0; a < g->n; a++)
        for (unsigned b = a + 1; b < g->n; b++)
            if (g->event[a].thread == g->event[b].thread ? g->event[a].thread >= 0
                                                         : g->event[a].thread < 0)
                sb[a] |= 1u << b;
}

static void coherence(const struct graph *g, relation mo, relation fr)
{
    memset(mo, 0, sizeof(relation));
    memset(fr, 0, sizeof(relation));
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned a = 0; a < g->stores[place]; a++)
            for (unsigned b = a + 1; b < g->stores[place]; b++)
                mo[g->order[place][a]] |= 1u << g->order[place][b];
    for (unsigned k = 0; k < g->n; k++)
        if (g->event[k].reads)
            fr[k] = mo[g->event[k].from] & ~(1u << k);
}

/* Adds the edge between whoever releases a store and whoever acquires what reads it. */
static void synchronize(const struct graph *g, const relation sb, unsigned store, unsigned load,
                        relation sw)
{
    uint32_t from = 0, to = 0;
    for (unsigned k = 0; k < g->n; k++) {
        const struct event *e = &g->event[k];
        if (e->releases && (k == store || (e->fence && sb[k] >> store & 1)))
            from |= 1u << k;
        if (e->acquires && (k == load || (e->fence && sb[load] >> k & 1)))
            to |= 1u << k;
    }
    for (; from; from &= from - 1)
        sw[__builtin_ctz(from)] |= to;
}

/* What happens before what: a release sequence is a store and the read-modify-writes that
 * follow it. */
static void happens_before(const struct graph *g, const relation sb, relation hb)
{
    relation sw = {0};
    for (unsigned load = 0; load < g->n; load++) {
        if (!g->event[load].reads)
            continue;
        unsigned store = g->event[load].from;
        synchronize(g, sb, store, load, sw);
        while (g->event[store].reads) {
            store = g->event[store].from;
            synchronize(g, sb, store, load, sw);
        }
    }
    memcpy(hb, sb, sizeof(relation));
    unite(hb, sw);
    close(hb);
}

static bool is_atomic(const struct graph *g)
{
    for (unsigned place = 0; place < PLACES; place++)
        for (unsigned k = 1; k < g->stores[place]; k++) {
            const struct event *e = &g->event[g->order[place][k]];
            if (e->reads && e->from != g->order[place][k - 1])
                return false;
        }
    return true;
}

static bool is_fence(const struct graph *g, unsigned k)
{
    return g->event[k].fence && g->event[k].seq_cst;
}

/* Adds the pairs of seq_cst events that r relates; a fence stands for what it happens before,
 * or for what happens before it. */
static void between(const struct graph *g, const relation r, const relation hb, relation psc)
{
    for (unsigned a = 0; a < g->n; a++)
        for (unsigned b = 0; b < g->n; b++) {
            uint32_t from = is_fence(g, a) ? hb[a] | 1u << a : 1u << a;
            bool related = false;
            for (; from; from &= from - 1) {
                uint32_t to = r[__builtin_ctz(from)];
                related |= to >> b & 1;
                for (uint32_t left = is_fence(g, b) ? to : 0; left; left &= left - 1)
                    related |= hb[__builtin_ctz(left)] >> b & 1;
            }
            if (related && g->event[a].seq_cst && g->event[b].seq_cst)
                psc[a] |= 1u << b;
        }
}

/* The relation psc of RC11; what is sequenced counts as of different places (seq_cst.h). */
static bool is_ordered(const struct graph *g, const relation sb, const relation hb,
                       const relation mo, const relation fr, const relation eco)
{
    relation scb, one, two, psc = {0};
    memcpy(scb, sb, sizeof scb);
    compose(one, sb, hb);
    compose(two, one, sb);
    unite(scb, two);
    unite(scb, mo);
    unite(scb, fr);
    for (unsigned a = 0; a < g->n; a++)
        for (unsigned b = 0; b < g->n; b++)
            if (hb[a] >> b & 1 && !g->event[a].fence && !g->event[b].fence &&
                g->event[a].place == g->event[b].place)
                scb[a] |= 1u << b;
    between(g, scb, hb, psc);
    compose(one, hb, eco);
    compose(two, one, hb);
    unite(two, hb);
    for (unsigned a = 0; a < g->n; a++)
        for (unsigned b = 0; b < g->n; b++)
            if (is_fence(g, a) && is_fence(g, b))
                psc[a] |= two[a] & 1u << b;
    close(psc);
    return !is_reflexive(psc);
}

static bool is_consistent(const struct graph *g)
{
    relation sb, hb, mo, fr, eco, both;
    sequenced(g, sb);
    happens_before(g, sb, hb);
    coherence(g, mo, fr);
    memcpy(eco, mo, sizeof eco);
    unite(eco, fr);
    for (unsigned k = 0; k < g->n; k++)
        if (g->event[k].reads)
            eco[g->event[k].from] |= 1u << k;
    close(eco);
    compose(both, hb, eco);
    return !is_reflexive(hb) && !is_reflexive(both) && is_atomic(g) &&
           is_ordered(g, sb, hb, mo, fr, eco);
}

/* The graph with one more event, which reads that store, or comes right after it. */
static struct graph after(const struct graph *g, struct event e, unsigned at)
{
    struct graph next = *g;
    unsigned *order = next.order[e.place], fresh = next.n++;
    e.from = order[at];
    next.event[fresh] = e;
    if (e.writes) {
        memmove(order + at + 2, order + at + 1,
                (next.stores[e.place]++ - at - 1) * sizeof *order);
        order[at + 1] = fresh;
    }
    return next;
}

/* ---- the machine ----------------------------------------------------------------- */

struct test {
    struct bare bare;
    struct vm *vm;
    uint64_t thread[THREADS];
    struct graph graph;
    uint64_t value[MOST]; /* of each event that stores: below MOST */
    bool exact;           /* not in the corner that seq_cst.h tells of */
    bool repeats;         /* stores leave the value as it was, mostly, and follow each other */
    unsigned fenced;      /* threads that have had a fence, as bits */
    struct event last;
};

static void begin(struct test *t, bool stays)
{
    bare_init(&t->bare);
    t->vm = bare_open(&t->bare, false, 0);
    t->vm->race.order = vm_order_new(true, true, stays);
    bare_threads(t->vm, t->thread, THREADS);
    t->graph = (struct graph){.n = PLACES};
    for (unsigned k = 0; k < PLACES; k++) {
        t->graph.event[k] = (struct event){.thread = -1, .place = k, .writes = true};
        t->graph.order[k][t->graph.stores[k]++] = t->value[k] = k;
        bare_write(t->vm, vm_ptr(VM_ID_GLOBAL, k, 0), 1, k, ~0ull, 0);
    }
}

static void end(struct test *t)
{
    vm_close(t->vm);
    bare_fini(&t->bare);
}

static uint64_t place_of(unsigned place)
{
    return vm_ptr(VM_ID_GLOBAL, place, SIZE);
}

static uint64_t value_at(const struct test *t, unsigned place, unsigned at)
{
    return t->value[t->graph.order[place][at]];
}

/* Returns the latest store with this value: the machine has one of several that are alike. */
static struct vm_option option_of(const struct vm_option *options, size_t n, uint64_t value)
{
    size_t k = 0; /* the last store is the first option */
    while (k < n && options[k].value[0].v != value)
        k++;
    assert_true(k < n);
    return options[k];
}

/* Compares the values that are offered with those that are consistent; returns an option that
 * is, and its place in modification order. */
static struct vm_option choose(struct test *t, const struct event *e,
                               const struct vm_event_of *event, unsigned *at)
{
    const struct vm_option *options;
    struct vm_option kept[MOST];
    unsigned found = 0;
    size_t listed = vm_order_options(t->vm, event->p, SIZE, &options), n = 0;
    bool offers[MOST] = {false}, wanted[MOST] = {false};
    for (size_t k = 0; k < listed; k++)
        if (vm_order_allows(t->vm, event, &options[k]))
            offers[(kept[n++] = options[k]).value[0].v] = true;
    for (unsigned k = t->graph.stores[e->place]; k-- > 0;) {
        struct graph next = after(&t->graph, *e, k);
        uint64_t value = value_at(t, e->place, k);
        if (wanted[value] || !is_consistent(&next))
            continue;
        wanted[value] = true;
        if (!draw(++found))
            *at = k;
    }
    for (unsigned value = 0; value < MOST; value++)
        if (wanted[value] || t->exact)
            assert_int_equal(offers[value], wanted[value]);
    assert_true(found);
    return option_of(kept, n, value_at(t, e->place, *at));
}

static void access(struct test *t, struct event e)
{
    uint64_t p = place_of(e.place);
    unsigned at = 0;
    struct vm_event_of event = {.p = p,
                                .size = SIZE,
                                .reads = e.reads,
                                .writes = e.writes,
                                .acquires = e.acquires,
                                .releases = e.releases,
                                .seq_cst = e.seq_cst};
    struct vm_option option = choose(t, &e, &event, &at);
    uint64_t fresh = t->repeats && draw(2) ? e.place : t->graph.n,
             value = t->repeats && e.reads ? option.value[0].v : fresh;
    struct vm_value old[2], written[2] = {{.v = value}};
    vm_order_read(t->vm, p, SIZE, old);
    written[0].m = old[0].m;
    if (e.writes && option.last)
        bare_write(t->vm, p, SIZE / 8, value, ~0ull, 0);
    vm_order_atomic(t->vm, &event, &option, old, written);
    t->value[t->graph.n] = value;
    t->graph = after(&t->graph, e, at);
}

static void fence(struct test *t, struct event e)
{
    vm_order_fence(t->vm, e.acquires, e.releases, e.seq_cst);
    t->graph.event[t->graph.n++] = e;
    assert_true(is_consistent(&t->graph));
}

/* ---- random executions ----------------------------------------------------------- */

static struct event random_event(struct test *t, bool fences)
{
    if (t->repeats && t->last.writes && draw(4))
        return t->last;
    struct event e = {.thread = (int)draw(THREADS), .place = draw(PLACES)};
    /* relaxed, acquire or release, both, seq_cst */
    unsigned strength = draw(t->repeats && draw(8) ? 3 : 4);
    bool weak = fences && draw(2);
    bool another = !t->exact || !(t->fenced >> e.thread & 1);
    e.fence = fences && another && strength && draw(3) == 0;
    t->fenced |= (unsigned)e.fence << e.thread;
    if (weak) /* what seq_cst fences are for */
        strength = e.fence ? 3 : 0;
    unsigned what = draw(5); /* a read-modify-write is one in five */
    e.reads = !e.fence && (what < 2 || what == 4);
    e.writes = !e.fence && what >= 2;
    e.seq_cst = strength == 3;
    unsigned half = draw(2);
    e.acquires = (e.fence || e.reads) && strength && (strength > 1 || half);
    e.releases = (e.fence || e.writes) && strength && (strength > 1 || !half);
    return e;
}

static void run(uint64_t seed, bool fences, bool exact, bool repeats)
{
    struct test t = {.exact = exact, .repeats = repeats};
    bare_seed = seed;
    begin(&t, seed & 1);
    while (t.graph.n < MOST) {
        struct event e = random_event(&t, fences);
        t.vm->s.reg[VM_REG_USER] = t.thread[e.thread];
        vm_order_begin(t.vm);
        if (e.fence)
            fence(&t, e);
        else
            access(&t, e);
        t.last = e;
        vm_order_end(t.vm);
    }
    end(&t);
}

static void accesses_are_those_of_the_axioms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run(seed, false, true, false);
}

/* With a fence for each thread, at most. */
static void fences_are_those_of_the_axioms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run(seed, true, true, false);
}

/* With any number, more may be offered in one corner (seq_cst.h), and never less. */
static void nothing_is_missed_with_many_fences(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run(seed, true, false, false);
}

/* The machine keeps one of read-modify-writes that repeat each other. */
static void repeated_stores_are_those_of_the_axioms(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= RUNS; seed++)
        run(seed, seed % 4 == 0, true, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accesses_are_those_of_the_axioms),
        cmocka_unit_test(fences_are_those_of_the_axioms),
        cmocka_unit_test(nothing_is_missed_with_many_fences),
        cmocka_unit_test(repeated_stores_are_those_of_the_axioms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
