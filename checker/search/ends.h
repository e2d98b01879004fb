/* ends.h - whether an end of the program can be reached from a state.
 *
 * States are explored from there on, breadth first, until an end is met: the end of the
 * process, an error, or an assumption that fails.  If all were explored and none has one, the
 * program runs on for ever, whatever is chosen.  What is found out stays known until
 * ends_clear, so that no state is expanded twice.  Belongs to one thread. */
#ifndef CHECKER_ENDS_H
#define CHECKER_ENDS_H

#include "walk.h"

enum ends_answer {
    ENDS_REACHED,
    ENDS_NEVER,
    ENDS_MANY,   /* as many states were expanded as there may be */
    ENDS_HALTED, /* so was the machine, or a store has no room */
};

/* Flags of a transition whose end leads nowhere, or, if a clock was read that stands still,
 * perhaps elsewhere: time would pass. */
static const unsigned ENDS_OVER = VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_END | VM_FLAG_CLOCK;

/* A state that was met. */
struct ends_node {
    store_id id;
    uint32_t before; /* 1 + the first of the edges that lead to it */
    uint32_t slot;   /* its place in the table */
    bool ends;       /* an end is known to be reached from it */
};

/* An edge from a state of which it is not known whether an end can be reached. */
struct ends_edge {
    uint32_t from, next; /* next: 1 + another one that leads there, or 0 */
};

struct ends_open {
    struct vm_state *state;
    uint32_t node;
};

struct ends {
    struct walk *walk;
    /* Is the state as good as an end?  Or NULL. */
    bool (*is_enough)(void *context, store_id id);
    void *context;
    struct ends_node *nodes;
    size_t n, max;
    struct ends_edge *edges;
    size_t nedges, max_edges;
    uint32_t *table; /* 1 + indices of nodes; 0: empty */
    size_t slots;    /* a power of two, or 0 */
    struct ends_open *open;
    size_t nopen, max_open, next; /* nodes before next were expanded */
    uint32_t *marked;             /* nodes whose predecessors are still to be marked */
    size_t nmarked, max_marked;
    uint32_t current; /* the node that is expanded */
    bool full;
    uint64_t expanded; /* in all searches */
};

/* Forgets everything.  All zero but walk, is_enough and context to begin with.  The walk may be
 * of a machine that predicts. */
void ends_clear(struct ends *ends);
void ends_fini(struct ends *ends);

/* Looks for an end from a state with this id, which is ends's then; expands so many states at
 * most, 0: no limit. */
enum ends_answer ends_search(struct ends *ends, struct vm_state *state, store_id id,
                             size_t most);

#endif
