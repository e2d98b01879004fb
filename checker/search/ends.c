/* ends.c - see ends.h. */
#include "ends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"

enum { FIRST_SLOTS = 64 };

/* ---- the states that were met ---------------------------------------------------- */

/* Returns the slot of a state, or the one for it. */
static size_t slot_of(const struct ends *ends, store_id id)
{
    static const uint64_t MIX = 0x9e3779b97f4a7c15;
    size_t slot = (size_t)(id * MIX >> 32) & (ends->slots - 1);
    while (ends->table[slot] && ends->nodes[ends->table[slot] - 1].id != id)
        slot = (slot + 1) & (ends->slots - 1);
    return slot;
}

static void place(struct ends *ends, uint32_t node)
{
    size_t slot = slot_of(ends, ends->nodes[node].id);
    ends->nodes[node].slot = (uint32_t)slot;
    ends->table[slot] = node + 1;
}

/* Makes room in the table: at most half of the slots are used. */
static void make_room(struct ends *ends)
{
    if (2 * (ends->n + 1) <= ends->slots)
        return;
    ends->slots = ends->slots ? 2 * ends->slots : FIRST_SLOTS;
    free(ends->table);
    ends->table = calloc(ends->slots, sizeof *ends->table);
    if (!ends->table)
        vm_exhausted();
    for (size_t i = 0; i < ends->n; i++)
        place(ends, (uint32_t)i);
}

/* Returns the node of a state; *fresh: it was not met before. */
static uint32_t know(struct ends *ends, store_id id, bool *fresh)
{
    make_room(ends);
    uint32_t found = ends->table[slot_of(ends, id)];
    *fresh = !found;
    if (found)
        return found - 1;
    assert(ends->n < UINT32_MAX - 1);
    ARRAY_PUSH(ends->nodes, ends->n, ends->max, (struct ends_node){.id = id});
    place(ends, (uint32_t)ends->n - 1);
    return (uint32_t)ends->n - 1;
}

static void open_node(struct ends *ends, uint32_t node, struct vm_state *state)
{
    ARRAY_PUSH(ends->open, ends->nopen, ends->max_open, (struct ends_open){state, node});
}

static void mark(struct ends *ends, uint32_t node)
{
    if (ends->nodes[node].ends)
        return;
    ends->nodes[node].ends = true;
    ARRAY_PUSH(ends->marked, ends->nmarked, ends->max_marked, node);
}

/* Marks a node from which an end is reached, and all that lead to it. */
static void mark_all(struct ends *ends, uint32_t node)
{
    mark(ends, node);
    while (ends->nmarked) {
        node = ends->marked[--ends->nmarked];
        for (uint32_t k = ends->nodes[node].before; k; k = ends->edges[k - 1].next)
            mark(ends, ends->edges[k - 1].from);
    }
}

static void add_edge(struct ends *ends, uint32_t from, uint32_t to)
{
    assert(ends->nedges < UINT32_MAX - 1);
    ARRAY_PUSH(ends->edges, ends->nedges, ends->max_edges,
               (struct ends_edge){from, ends->nodes[to].before});
    ends->nodes[to].before = (uint32_t)ends->nedges;
}

/* ---- exploring ------------------------------------------------------------------- */

/* Visits a successor.  Once an end is reached, the other successors need not be known. */
static bool visit(void *context, struct walk *walk)
{
    struct ends *ends = context;
    if (ends->nodes[ends->current].ends) /* as was predicted of a later choice */
        return false;
    if (vm_flags(walk->vm) & ENDS_OVER || vm_broken(walk->vm)) {
        mark_all(ends, ends->current);
        return false;
    }
    uint64_t hash[2];
    if (!walk_hash(walk, hash)) {
        ends->full = true;
        return false;
    }
    store_id id = store_id_of(hash);
    bool enough = ends->is_enough && ends->is_enough(ends->context, id), fresh = false;
    uint32_t node = enough ? 0 : know(ends, id, &fresh);
    if (enough || ends->nodes[node].ends) {
        mark_all(ends, ends->current);
        return false;
    }
    add_edge(ends, ends->current, node);
    if (fresh)
        open_node(ends, node, vm_snapshot(walk->vm));
    return true;
}

/* Skips a predicted successor if its state is not needed: it is met already, or an end is
 * reached. */
static bool leaves_out(void *context, struct walk *walk, const struct vm_prediction *prediction,
                       struct store_place *place)
{
    struct ends *ends = context;
    (void)walk, (void)place;
    if (ends->nodes[ends->current].ends)
        return true;
    store_id id = store_id_of(prediction->hash);
    uint32_t known = ends->table[slot_of(ends, id)];
    if (prediction->flags & VM_FLAG_END ||
        (ends->is_enough && ends->is_enough(ends->context, id)) ||
        (known && ends->nodes[known - 1].ends)) {
        mark_all(ends, ends->current);
        return true;
    }
    if (known)
        add_edge(ends, ends->current, known - 1);
    return known;
}

static bool expand(struct ends *ends, struct ends_open open)
{
    static const struct walk_visitor visitor = {.visit = visit, .leaves_out = leaves_out};
    if (ends->nodes[open.node].ends) {
        vm_release(open.state);
        return true;
    }
    ends->current = open.node;
    ends->expanded++;
    return walk_successors(ends->walk, open.state, &visitor, ends) && !ends->full;
}

enum ends_answer ends_search(struct ends *ends, struct vm_state *state, store_id id,
                             size_t most)
{
    bool fresh;
    uint32_t first = know(ends, id, &fresh);
    uint64_t before = ends->expanded;
    if (fresh)
        open_node(ends, first, state);
    else
        vm_release(state);
    while (!ends->nodes[first].ends && ends->next < ends->nopen) {
        if (most && ends->expanded - before == most)
            return ENDS_MANY;
        if (!expand(ends, ends->open[ends->next++]))
            return ENDS_HALTED;
    }
    return ends->nodes[first].ends ? ENDS_REACHED : ENDS_NEVER;
}

void ends_clear(struct ends *ends)
{
    for (; ends->next < ends->nopen; ends->next++)
        vm_release(ends->open[ends->next].state);
    for (size_t i = 0; i < ends->n; i++)
        ends->table[ends->nodes[i].slot] = 0;
    ends->n = ends->nedges = ends->nopen = ends->next = ends->nmarked = 0;
    ends->full = false;
}

void ends_fini(struct ends *ends)
{
    ends_clear(ends);
    free(ends->nodes);
    free(ends->edges);
    free(ends->table);
    free(ends->open);
    free(ends->marked);
}
