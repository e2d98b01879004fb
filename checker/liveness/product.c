/* product.c - see product.h. */
#include "product.h"

#include <stdlib.h>

#include "checker/array.h"

/* ---- nodes and edges ---------------------------------------------------------------------
 */

uint32_t product_state_of(const struct product *product, uint64_t node)
{
    return (uint32_t)(node / product->automaton->n);
}

struct product_cursor product_begin(const struct product *product, uint64_t node)
{
    return (struct product_cursor){.product = product, .node = node};
}

/* The target of the edge that the cursor is at; false if there are no more edges. */
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
    return (struct product_marks){
        automaton->states[node % automaton->n].accepts,
        ~product->graph->states[product_state_of(product, node)].enabled};
}

struct product_marks product_marks_by(const struct product *product, uint32_t by)
{
    struct product_marks marks = {0};
    if (by != LASSO_STAYS)
        marks.threads = 1ull << product->graph->edges[by].thread;
    return marks;
}

bool product_has_all(const struct product *product, struct product_marks marks)
{
    uint64_t all = product->automaton->all;
    return (marks.accepts & all) == all && (!product->fair || !~marks.threads);
}

/* ---- components -----------------------------------------------------------------------------
 */

enum { NONE = 0 }; /* of a component: the node is in none yet */

struct tarjan {
    const struct product *product;
    uint32_t *order;     /* when a node was met, from 1 on; 0: not yet */
    uint32_t *low;       /* the first node, by order, that is known to be in its component */
    uint32_t *component; /* its number, from 1 on */
    uint64_t *stack;     /* nodes that are in no component yet */
    size_t nstack, max_stack;
    struct product_cursor *visits; /* nodes whose successors are looked at */
    size_t nvisits, max_visits;
    uint32_t met, ncomponents;
    uint32_t best, best_state; /* an accepting component, nearest to the boot; 0: none */
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

/* The nodes of the stack from `first` on are a component. */
static void judge(struct tarjan *t, size_t first)
{
    struct product_marks marks = {0};
    bool has_edge = false;
    uint32_t nearest = UINT32_MAX;
    for (size_t k = first; k < t->nstack; k++) {
        uint64_t node = t->stack[k];
        uint32_t state = product_state_of(t->product, node);
        struct product_cursor cursor = product_begin(t->product, node);
        nearest = state < nearest ? state : nearest;
        add(&marks, product_marks_of(t->product, node));
        while (product_next(&cursor))
            if (t->component[cursor.to] == t->ncomponents) {
                has_edge = true;
                add(&marks, product_marks_by(t->product, cursor.by));
            }
    }
    if (has_edge && product_has_all(t->product, marks) &&
        (!t->best || nearest < t->best_state)) {
        t->best = t->ncomponents;
        t->best_state = nearest;
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

/* False: it was to halt. */
static bool search(struct tarjan *t)
{
    enum { OFTEN = 4096 };
    enter(t, 0);
    while (t->nvisits) {
        struct product_cursor *cursor = &t->visits[t->nvisits - 1];
        uint64_t node = cursor->node;
        if (!product_next(cursor)) {
            leave(t, node);
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

enum product_answer product_search(const struct product *product, struct lasso *lasso)
{
    size_t n = product->graph->n * product->automaton->n;
    struct tarjan t = {.product = product};
    *lasso = (struct lasso){0};
    t.order = array_zeroed(n, sizeof *t.order);
    t.low = array_zeroed(n, sizeof *t.low);
    t.component = array_zeroed(n, sizeof *t.component);
    bool good = n < UINT32_MAX && search(&t);
    enum product_answer answer = !good ? PRODUCT_HALTED : PRODUCT_EMPTY;
    free(t.order);
    free(t.low);
    free(t.stack);
    free(t.visits);
    if (good && t.best)
        answer =
            lasso_find(product, t.component, t.best, lasso) ? PRODUCT_FOUND : PRODUCT_HALTED;
    free(t.component);
    return answer;
}
