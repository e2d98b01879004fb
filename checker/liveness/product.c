/* product.c - see product.h. */
#include "product.h"

#include <stdlib.h>

#include "checker/array.h"

/* ---- nodes and edges ------------------------------------------------------------- */

uint32_t product_state_of(const struct product *product, uint64_t node)
{
    return (uint32_t)(node / product->automaton->n);
}

struct product_cursor product_begin(const struct product *product, uint64_t node)
{
    return (struct product_cursor){.product = product, .node = node};
}

/* Returns the target of the edge that the cursor is at; false if there are no more edges. */
static bool target_of(struct product_cursor *cursor, uint32_t *to)
{
    const struct graph *graph = cursor->product->graph;
    uint32_t from = product_state_of(cursor->product, cursor->node);
    const struct graph_state *state = &graph->states[from];
    while (cursor->edge < state->nedges) {
        cursor->by = state->first + cursor->edge;
        const struct graph_edge *edge = &graph->edges[cursor->by];
        *to = edge->to;
        if (!edge->clock || cursor->product->clocks)
            return true;
        cursor->edge++;
    }
    cursor->by = LASSO_STAYS;
    *to = from;
    return state->final && cursor->product->stutters && cursor->edge == state->nedges;
}

bool product_next(struct product_cursor *cursor)
{
    const struct automaton *automaton = cursor->product->automaton;
    const struct automaton_state *from = &automaton->states[cursor->node % automaton->n];
    uint32_t to;
    while (target_of(cursor, &to)) {
        while (cursor->next < from->nnext) {
            uint32_t next = from->next[cursor->next++];
            cursor->to = (uint64_t)to * automaton->n + next;
            if (automaton_may_enter(&automaton->states[next],
                                    cursor->product->graph->states[to].atoms))
                return true;
        }
        cursor->edge++;
        cursor->next = 0;
    }
    return false;
}

struct product_marks product_marks_of(const struct product *product, uint64_t node)
{
    const struct automaton *automaton = product->automaton;
    uint64_t enabled = product->graph->states[product_state_of(product, node)].enabled;
    return (struct product_marks){automaton->states[node % automaton->n].accepts,
                                  product->fairness == QUERY_WEAKLY_FAIR ? ~enabled : 0};
}

struct product_marks product_marks_by(const struct product *product, uint32_t by)
{
    struct product_marks marks = {0};
    if (by == LASSO_STAYS)
        return marks;
    marks.threads = 1ull << product->graph->edges[by].thread;
    marks.accepts = product->by_monitor && product->graph->edges[by].accepts;
    return marks;
}

bool product_has_all(struct product_marks marks, struct product_marks needs)
{
    return !(needs.accepts & ~marks.accepts) && !(needs.threads & ~marks.threads);
}

/* ---- components ------------------------------------------------------------------ */

struct tarjan {
    const struct product *product;
    uint32_t *order;     /* when a node was met, from 1 on; 0: not yet */
    uint32_t *low;       /* the first node, by order, that is known to be in its component */
    uint32_t *component; /* its number, from 1 on; 0: it is in none yet */
    uint8_t
        *gone; /* nodes that no run comes to again and again; NULL: they are not asked for */
    uint64_t *stack; /* nodes that are in no component yet */
    size_t nstack, max_stack;
    struct product_cursor *visits; /* nodes whose successors are looked at */
    size_t nvisits, max_visits;
    uint32_t met, ncomponents;
    uint32_t best, best_state;  /* an accepting component, nearest to the boot; 0: none */
    struct product_marks needs; /* of that one */
    bool smaller;               /* a part of a component is left */
};

static void enter(struct tarjan *t, uint64_t node)
{
    t->order[node] = t->low[node] = ++t->met;
    ARRAY_PUSH(t->stack, t->nstack, t->max_stack, node);
    ARRAY_PUSH(t->visits, t->nvisits, t->max_visits, product_begin(t->product, node));
}

static void add(struct product_marks *marks, struct product_marks more)
{
    marks->accepts |= more.accepts;
    marks->threads |= more.threads;
}

static uint64_t enabled_in(const struct tarjan *t, uint64_t node)
{
    return t->product->graph->states[product_state_of(t->product, node)].enabled;
}

/* Adds what the edges within the component have; false if there is none. */
static bool add_edges(const struct tarjan *t, uint64_t node, struct product_marks *marks)
{
    struct product_cursor cursor = product_begin(t->product, node);
    bool any = false;
    while (product_next(&cursor))
        if (t->component[cursor.to] == t->ncomponents) {
            any = true;
            add(marks, product_marks_by(t->product, cursor.by));
        }
    return any;
}

/* Drops the nodes of the stack from `first` on: they are no accepting component.  Unless that
 * is hopeless, they may be one without the nodes in which one of these threads can go on. */
static void shrink(struct tarjan *t, size_t first, bool hopeless, uint64_t threads)
{
    for (size_t k = first; t->gone && k < t->nstack; k++) {
        uint64_t node = t->stack[k];
        t->gone[node] = hopeless || (enabled_in(t, node) & threads);
        t->smaller = t->smaller || !t->gone[node];
    }
}

/* Judges the nodes of the stack from `first` on, which are a component. */
static void judge(struct tarjan *t, size_t first)
{
    struct product_marks marks = {0}, needs = {.accepts = t->product->automaton->all};
    bool has_edge = false;
    uint32_t nearest = UINT32_MAX;
    for (size_t k = first; k < t->nstack; k++) {
        uint64_t node = t->stack[k];
        uint32_t state = product_state_of(t->product, node);
        nearest = state < nearest ? state : nearest;
        if (t->product->fairness != QUERY_ALL)
            needs.threads |= enabled_in(t, node);
        add(&marks, product_marks_of(t->product, node));
        has_edge = add_edges(t, node, &marks) || has_edge;
    }
    if (!has_edge || !product_has_all(marks, needs)) {
        bool hopeless = !has_edge || (needs.accepts & ~marks.accepts);
        shrink(t, first, hopeless, needs.threads & ~marks.threads);
    } else if (!t->best || nearest < t->best_state) {
        t->best = t->ncomponents;
        t->best_state = nearest;
        t->needs = needs;
    }
}

static void leave(struct tarjan *t, uint64_t node)
{
    size_t first = t->nstack;
    t->nvisits--;
    if (t->nvisits) {
        uint32_t *low = &t->low[t->visits[t->nvisits - 1].node];
        *low = t->low[node] < *low ? t->low[node] : *low;
    }
    if (t->low[node] != t->order[node])
        return;
    t->ncomponents++;
    do
        t->component[t->stack[--first]] = t->ncomponents;
    while (t->stack[first] != node);
    judge(t, first);
    t->nstack = first;
}

/* Finds the components of what is reached from a node; false if it was to halt. */
static bool search_from(struct tarjan *t, uint64_t start)
{
    enum { OFTEN = 4096 };
    enter(t, start);
    while (t->nvisits) {
        struct product_cursor *cursor = &t->visits[t->nvisits - 1];
        uint64_t node = cursor->node;
        if (!product_next(cursor)) {
            leave(t, node);
        } else if (t->gone && t->gone[cursor->to]) {
            continue;
        } else if (!t->order[cursor->to]) {
            enter(t, cursor->to);
        } else if (!t->component[cursor->to]) {
            uint32_t order = t->order[cursor->to];
            t->low[node] = order < t->low[node] ? order : t->low[node];
        }
        if (t->met % OFTEN == 0 && atomic_load_explicit(t->product->halt, memory_order_relaxed))
            return false;
    }
    return true;
}

/* Searches once more, in what is left. */
static bool search_rest(struct tarjan *t, size_t n)
{
    bool good = true;
    for (size_t k = 0; k < n; k++)
        t->order[k] = t->low[k] = t->component[k] = 0;
    t->met = t->ncomponents = 0;
    t->smaller = false;
    for (size_t k = 0; good && k < n; k++)
        if (!t->gone[k] && !t->order[k])
            good = search_from(t, k);
    return good;
}

static bool search(struct tarjan *t, size_t n)
{
    bool good = search_from(t, 0);
    for (size_t k = 0; t->gone && k < n; k++)
        t->gone[k] = t->gone[k] || !t->order[k];
    while (good && !t->best && t->smaller)
        good = search_rest(t, n);
    return good;
}

enum product_answer product_search(const struct product *product, struct lasso *lasso)
{
    size_t n = product->graph->n * product->automaton->n;
    struct tarjan t = {.product = product};
    *lasso = (struct lasso){0};
    t.order = array_zeroed(n, sizeof *t.order);
    t.low = array_zeroed(n, sizeof *t.low);
    t.component = array_zeroed(n, sizeof *t.component);
    if (product->fairness == QUERY_STRONGLY_FAIR)
        t.gone = array_zeroed(n, sizeof *t.gone);
    bool good = n < UINT32_MAX && search(&t, n);
    enum product_answer answer = !good ? PRODUCT_HALTED : PRODUCT_EMPTY;
    free(t.order);
    free(t.low);
    free(t.gone);
    free(t.stack);
    free(t.visits);
    if (good && t.best)
        answer = lasso_find(product, t.component, t.best, t.needs, lasso) ? PRODUCT_FOUND
                                                                          : PRODUCT_HALTED;
    free(t.component);
    return answer;
}
