/* graph.c - see graph.h. */
#include "graph.h"

#include <stdlib.h>

#include "checker/array.h"

enum { FIRST_SLOTS = 1024 };

static size_t slot_of(const struct graph *graph, const uint64_t hash[2])
{
    size_t slot = (size_t)hash[1] & (graph->slots - 1);
    while (graph->table[slot]) {
        const struct graph_state *state = &graph->states[graph->table[slot]];
        if (state->hash[0] == hash[0] && state->hash[1] == hash[1])
            break;
        slot = (slot + 1) & (graph->slots - 1);
    }
    return slot;
}

/* At most half of the slots are used. */
static void make_room(struct graph *graph)
{
    if (2 * (graph->n + 1) <= graph->slots)
        return;
    graph->slots *= 2;
    free(graph->table);
    graph->table = array_zeroed(graph->slots, sizeof *graph->table);
    for (size_t k = 1; k < graph->n; k++)
        graph->table[slot_of(graph, graph->states[k].hash)] = (uint32_t)k;
}

void graph_init(struct graph *graph)
{
    *graph = (struct graph){.slots = FIRST_SLOTS};
    graph->table = array_zeroed(graph->slots, sizeof *graph->table);
    ARRAY_PUSH(graph->states, graph->n, graph->max, (struct graph_state){0});
}

void graph_fini(struct graph *graph)
{
    free(graph->states);
    free(graph->edges);
    free(graph->table);
}

bool graph_is_full(const struct graph *graph)
{
    return graph->n >= UINT32_MAX / 2 || graph->nedges >= UINT32_MAX / 2;
}

uint32_t graph_state(struct graph *graph, const uint64_t hash[2], bool *fresh)
{
    make_room(graph);
    size_t slot = slot_of(graph, hash);
    *fresh = !graph->table[slot];
    if (*fresh) {
        struct graph_state state = {.hash = {hash[0], hash[1]}};
        graph->table[slot] = (uint32_t)graph->n;
        ARRAY_PUSH(graph->states, graph->n, graph->max, state);
    }
    return graph->table[slot];
}

void graph_add_edge(struct graph *graph, struct graph_edge edge)
{
    struct graph_state *state = &graph->states[graph->expanded];
    if (!state->nedges)
        state->first = (uint32_t)graph->nedges;
    for (uint32_t k = 0; k < state->nedges; k++) {
        const struct graph_edge *other = &graph->edges[state->first + k];
        if (other->to == edge.to && other->thread == edge.thread &&
            other->clock == edge.clock && other->accepts == edge.accepts)
            return;
    }
    ARRAY_PUSH(graph->edges, graph->nedges, graph->max_edges, edge);
    state->nedges++;
}

void graph_expanded(struct graph *graph)
{
    graph->expanded++;
}
