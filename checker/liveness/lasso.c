/* lasso.c - finds a path into a component and a loop in it: see product.h.
 *
 * Each part of the way is a shortest one, found breadth first: to the component, from there to
 * the nearest node or edge that has a mark which the loop has not met yet, and so on, and back
 * to where the loop began. */
#include <stdlib.h>

#include "checker/array.h"
#include "product.h"

struct step {
    uint64_t node;
    uint32_t before; /* the step that it comes after */
    uint32_t by;     /* as struct product_cursor */
};

struct finder {
    const struct product *product;
    const uint32_t *component;
    uint32_t number;
    bool inside; /* only nodes of the component count */
    struct product_marks met, needs;
    uint64_t goal; /* the way is to lead to this node; NOWHERE: to a mark that is not met */
    struct step *steps;
    size_t n, max;
    uint8_t *seen; /* a byte for each node */
};

static const uint64_t NOWHERE = UINT64_MAX;

static bool is_new(const struct finder *f, struct product_marks marks)
{
    return marks.accepts & f->needs.accepts & ~f->met.accepts ||
           marks.threads & f->needs.threads & ~f->met.threads;
}

static bool is_goal(const struct finder *f, const struct product_cursor *cursor)
{
    if (!f->inside)
        return f->component[cursor->to] == f->number;
    if (f->goal != NOWHERE)
        return cursor->to == f->goal;
    return is_new(f, product_marks_of(f->product, cursor->to)) ||
           is_new(f, product_marks_by(f->product, cursor->by));
}

/* Lists the successors of step k; true if one is the goal: the last step then. */
static bool list_successors(struct finder *f, size_t k)
{
    struct product_cursor cursor = product_begin(f->product, f->steps[k].node);
    while (product_next(&cursor)) {
        bool goal = is_goal(f, &cursor);
        if (f->inside && f->component[cursor.to] != f->number)
            continue;
        if (f->seen[cursor.to] && !goal)
            continue;
        f->seen[cursor.to] = 1;
        struct step step = {cursor.to, (uint32_t)k, cursor.by};
        ARRAY_PUSH(f->steps, f->n, f->max, step);
        if (goal)
            return true;
    }
    return false;
}

static void meet(struct finder *f, struct product_marks marks)
{
    f->met.accepts |= marks.accepts;
    f->met.threads |= marks.threads;
}

/* Appends the path to the last step to the lasso. */
static void append(struct finder *f, struct lasso *lasso)
{
    size_t length = 0;
    for (size_t k = f->n - 1; k; k = f->steps[k].before)
        length++;
    for (size_t i = 0; i < length; i++)
        ARRAY_PUSH(lasso->edges, lasso->n, lasso->max, 0);
    size_t at = lasso->n;
    for (size_t k = f->n - 1; k; k = f->steps[k].before) {
        lasso->edges[--at] = f->steps[k].by;
        meet(f, product_marks_of(f->product, f->steps[k].node));
        meet(f, product_marks_by(f->product, f->steps[k].by));
    }
}

/* Goes from *node to the next goal, where *node is then. */
static bool go(struct finder *f, uint64_t *node, struct lasso *lasso)
{
    size_t all = f->product->graph->n * f->product->automaton->n;
    struct step first = {.node = *node};
    f->n = 0;
    f->seen = array_zeroed(all, 1);
    ARRAY_PUSH(f->steps, f->n, f->max, first);
    bool found = false;
    for (size_t k = 0; k < f->n && !found; k++) {
        if (atomic_load_explicit(f->product->halt, memory_order_relaxed))
            break;
        found = list_successors(f, k);
    }
    free(f->seen);
    if (!found)
        return false;
    *node = f->steps[f->n - 1].node;
    append(f, lasso);
    return true;
}

static bool find(struct finder *f, struct lasso *lasso)
{
    uint64_t node = 0;
    if (!go(f, &node, lasso))
        return false;
    lasso->loop = lasso->n;
    f->inside = true;
    f->met = product_marks_of(f->product, node);
    uint64_t begin = node;
    while (!product_has_all(f->met, f->needs))
        if (!go(f, &node, lasso))
            return false;
    f->goal = begin;
    return (node == begin && lasso->n > lasso->loop) || go(f, &node, lasso);
}

bool lasso_find(const struct product *product, const uint32_t *component, uint32_t number,
                struct product_marks needs, struct lasso *lasso)
{
    struct finder f = {.product = product,
                       .component = component,
                       .number = number,
                       .needs = needs,
                       .goal = NOWHERE};
    bool found = find(&f, lasso);
    free(f.steps);
    if (!found)
        lasso_fini(lasso);
    return found;
}

void lasso_fini(struct lasso *lasso)
{
    free(lasso->edges);
    *lasso = (struct lasso){0};
}
