/* follow.c - finds the steps of an execution for edges of a graph: each state's transitions are
 * executed until the one is met that the edge stands for. */
#include <stdlib.h>

#include "checker/array.h"
#include "explore.h"
#include "product.h"

struct seeker {
    struct explorer *explorer;
    struct graph_edge edge;
    const uint64_t *hash; /* of the state that it leads to */
    struct check_step step;
    struct vm_state *state;
    bool found;
};

static bool visit(void *context, struct walk *walk)
{
    struct seeker *s = context;
    struct transition t;
    if (!explorer_see(s->explorer, &t))
        return false;
    if (t.flags & (VM_FLAG_ERROR | VM_FLAG_CANCEL) || t.hash[0] != s->hash[0] ||
        t.hash[1] != s->hash[1] || t.thread != s->edge.thread ||
        !(t.flags & VM_FLAG_CLOCK) != !s->edge.clock ||
        !(t.flags & VM_FLAG_ACCEPT) != !s->edge.accepts)
        return true;
    size_t max = 0;
    for (size_t i = 0; i < walk->nchoices; i++)
        ARRAY_PUSH(s->step.choices, s->step.n, max, walk->choices[i]);
    s->step.hash = store_id_of(t.hash);
    s->found = true;
    if (!(t.flags & VM_FLAG_END))
        s->state = vm_snapshot(walk->vm);
    return false;
}

static void note_choice(void *context)
{
    explorer_note_choice(((struct seeker *)context)->explorer);
}

/* Marks the step that leads to the loop, or to where the program has ended. */
static void mark_loop(const struct lasso *lasso, struct check_path *path)
{
    bool ends = path->n < lasso->n;
    if (path->n)
        path->steps[ends ? path->n - 1 : lasso->loop - 1].loop = true;
}

bool explorer_follow(struct explorer *e, const struct lasso *lasso, struct check_path *path)
{
    static const struct walk_visitor visitor = {.visit = visit, .waits = note_choice};
    struct vm_state *from = NULL;
    size_t max = 0;
    bool good = true;
    *path = (struct check_path){0};
    for (size_t i = 0; good && i < lasso->n && lasso->edges[i] != LASSO_STAYS; i++) {
        struct seeker s = {.explorer = e, .edge = e->graph.edges[lasso->edges[i]]};
        s.hash = e->graph.states[s.edge.to].hash;
        explorer_begin_state(e, i == 0);
        good = walk_successors(&e->walk, from, &visitor, &s) && s.found;
        from = s.state;
        ARRAY_PUSH(path->steps, path->n, max, s.step);
    }
    if (from)
        vm_release(from);
    if (lasso->loop)
        mark_loop(lasso, path);
    return good && path->n;
}

/* ---- to an error ----------------------------------------------------------------- */

/* Returns the edge by which the state was found. */
static size_t edge_to(const struct graph *graph, uint32_t state)
{
    size_t k = 0;
    while (graph->edges[k].to != state)
        k++;
    return k;
}

static uint32_t source_of(const struct graph *graph, size_t edge)
{
    size_t from = 0;
    while (edge < graph->states[from].first ||
           edge >= (size_t)graph->states[from].first + graph->states[from].nedges)
        from++;
    return (uint32_t)from;
}

bool explorer_path_to_error(struct explorer *e, struct check_path *path)
{
    struct lasso way = {0};
    uint32_t state = (uint32_t)e->graph.expanded;
    while (state) {
        size_t edge = edge_to(&e->graph, state);
        ARRAY_PUSH(way.edges, way.n, way.max, (uint32_t)edge);
        state = source_of(&e->graph, edge);
    }
    for (size_t i = 0; i < way.n / 2; i++) {
        uint32_t other = way.edges[i];
        way.edges[i] = way.edges[way.n - 1 - i];
        way.edges[way.n - 1 - i] = other;
    }
    bool good = !way.n || explorer_follow(e, &way, path);
    size_t max = path->n;
    ARRAY_PUSH(path->steps, path->n, max, e->error);
    e->error = (struct check_step){0};
    lasso_fini(&way);
    return good;
}
