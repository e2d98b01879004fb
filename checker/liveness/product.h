/* product.h - finds an infinite run of a graph that an automaton accepts: a lasso, that is a
 * path to a loop and once round the loop.
 *
 * A node of the product is a state of the graph with one of the automaton; nodes are numbers.
 * Such a run exists if and only if some strongly connected component of the product can be
 * reached that has an edge, states of all acceptance sets and, if only fair runs count, for
 * each thread an edge that is a step of it, or (weakly fair) a state in which it cannot go on,
 * or (strongly fair) no state in which it can.  Components are found by Tarjan's algorithm.  In
 * one where a thread can go on, but takes no step, a strongly fair run does not come again and
 * again to the states where it can: without these, what is left is taken apart anew (Emerson
 * and Lei, "Modalities for model checking", 1987).  Belongs to one thread. */
#ifndef CHECKER_LIVENESS_PRODUCT_H
#define CHECKER_LIVENESS_PRODUCT_H

#include <stdatomic.h>

#include "automaton.h"
#include "checker/query/set.h"
#include "graph.h"

struct product {
    const struct graph *graph;
    const struct automaton *automaton;
    enum query_fairness fairness;
    bool stutters;   /* a state in which the program has ended is followed by itself */
    bool clocks;     /* transitions count that read a clock which stands still */
    bool by_monitor; /* the only acceptance set is that of transitions that the monitor accepts
                      */
    const _Atomic int *halt;
};

enum { LASSO_STAYS = UINT32_MAX }; /* instead of an edge: the program has ended */

/* Edges of the graph, from the boot on: those from `loop` on are the loop. */
struct lasso {
    uint32_t *edges;
    size_t n, max, loop;
};

enum product_answer { PRODUCT_EMPTY, PRODUCT_FOUND, PRODUCT_HALTED };
enum product_answer product_search(const struct product *product, struct lasso *lasso);
void lasso_fini(struct lasso *lasso);

/* For product.c and lasso.c: the successors of a node, one after the other. */
struct product_cursor {
    const struct product *product;
    uint64_t node;
    uint32_t edge, next; /* the edge of the graph's state, and the automaton's next state */
    /* Of the successor: */
    uint64_t to;
    uint32_t by; /* the edge of the graph, or LASSO_STAYS */
};
struct product_cursor product_begin(const struct product *product, uint64_t node);
bool product_next(struct product_cursor *cursor);
uint32_t product_state_of(const struct product *product, uint64_t node);
/* The marks that a component needs, as a node or an edge has them. */
struct product_marks {
    uint64_t accepts, threads;
};
struct product_marks product_marks_of(const struct product *product, uint64_t node);
struct product_marks product_marks_by(const struct product *product, uint32_t by);
bool product_has_all(struct product_marks marks, struct product_marks needs);

/* lasso.c: finds a path from the first node to a component (the nodes that have this number in
 * `component`), and a loop in it that meets all marks that are needed; false if *halt was
 * set. */
bool lasso_find(const struct product *product, const uint32_t *component, uint32_t number,
                struct product_marks needs, struct lasso *lasso);

#endif
