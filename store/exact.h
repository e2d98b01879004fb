/* exact.h - states as numbers, exactly: --store=exact.  Internal.
 *
 * A state is a graph in the order of a breadth-first walk (store.h).  What the walk's tree
 * has below a node becomes one number, that of a list: the node's own number and, for each
 * edge, the number of what is below or of a node met before.  Lists are folded: pairs of
 * numbers are interned, pairs of their numbers, and so on.  Only the nodes next to the roots
 * are put in one list, which is folded until one pair is left: equal for equal graphs and for
 * no others.  So a stack is one number, wherever it stands, and the pairs near the root of
 * one list are about as many as the square root of the states.
 * (Folding: Laarman, van de Pol, Weber, "Parallel recursive state compression for free",
 * 2011, there over places of a vector.)  Each user remembers pairs interned lately, at least
 * those of its last state: what has not changed is found there.
 * Threads: a struct store_fold belongs to one, the tables are shared. */
#ifndef STORE_EXACT_H
#define STORE_EXACT_H

#include "intern.h"

struct store_exact {
    struct store_table pairs, contents;
};

struct store_memo {
    uint64_t pair;
    uint32_t number;
};

struct store_fold {
    struct store_memo *memo; /* by hash */
    size_t memo_size;        /* a power of 2, or 0 */
    struct store_node *nodes;
    uint32_t *child; /* the node of each edge to a new one, in order */
    uint32_t *list;
    size_t max_nodes, max_list;
};

void store_exact_open(struct store_exact *exact, struct store_budget *budget);
void store_exact_close(struct store_exact *exact);
void store_fold_fini(struct store_fold *fold);

/* Returns a number for contents, equal for equal ones; 0 if there is no room. */
uint32_t store_exact_contents(struct store_exact *exact, const void *bytes, size_t n);
/* Returns the pair for a tag and a graph, as a number that can be a fingerprint; 0 if there is
 * no room. */
uint64_t store_exact_graph(struct store_exact *exact, struct store_fold *fold, bool tag,
                           const uint64_t *words, size_t n);

#endif
