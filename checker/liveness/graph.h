/* graph.h - the states of a program and the transitions between them, all kept in memory: some
 * 80 bytes for a state, and 8 for a transition.
 *
 * Belongs to one thread. */
#ifndef CHECKER_LIVENESS_GRAPH_H
#define CHECKER_LIVENESS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/query/formula.h"

struct graph_state {
    uint64_t hash[2]; /* its fingerprint, by which it is known */
    struct formula_atoms atoms;
    uint64_t
        enabled; /* bit k: thread k can go on.  Of what was expanded, if threads are told */
    uint32_t first, nedges; /* its transitions, in graph.edges */
    unsigned depth;
    bool over;  /* nothing goes on but the monitor */
    bool final; /* the program has ended: such a state is followed by itself */
};

struct graph_edge {
    uint32_t to;
    uint8_t thread; /* that was chosen, 0: none */
    bool clock;     /* a clock was read that stands still */
    bool accepts;   /* the monitor said so */
};

/* The states.  The first one stands for what is before the boot, and nothing leads there. */
struct graph {
    struct graph_state *states;
    struct graph_edge *edges;
    size_t n, max, nedges, max_edges;
    size_t expanded; /* so many states, the first, have all of their transitions */
    uint32_t *table; /* indices of states; 0: empty */
    size_t slots;    /* a power of two */
};

void graph_init(struct graph *graph);
void graph_fini(struct graph *graph);
bool graph_is_full(const struct graph *graph);
/* Returns the state with this fingerprint; *fresh: it is new, and only its fingerprint is
 * filled in. */
uint32_t graph_state(struct graph *graph, const uint64_t hash[2], bool *fresh);
/* Adds an edge from the state that is expanded now, which is the first one that is not. */
void graph_add_edge(struct graph *graph, struct graph_edge edge);
void graph_expanded(struct graph *graph);

#endif
