/* explore.h - all states of a program as a graph, by one machine.
 *
 * No reduction is on that could leave out a run which a formula, or fairness, can tell from
 * others: docs/REDUCTIONS.md, Infinite runs.  Belongs to one thread. */
#ifndef CHECKER_LIVENESS_EXPLORE_H
#define CHECKER_LIVENESS_EXPLORE_H

#include "checker/search/check.h"
#include "checker/search/guard.h"
#include "checker/search/walk.h"
#include "graph.h"

struct query_set;

/* A transition that has ended, and is no state yet. */
struct transition {
    unsigned flags;
    uint64_t hash[2]; /* of the state that it leads to, unless it is an error or is dropped */
    struct formula_atoms atoms;
    uint8_t thread; /* that was chosen */
};

struct explorer {
    const struct vm_program *program;
    const struct check_options *options;
    struct query_set *queries;
    struct check_result *result;
    const _Atomic int *halt;
    bool fair;
    double start;
    struct vm *vm;
    struct walk walk;
    struct graph graph;
    struct vm_state **open; /* of states that are not expanded */
    size_t max_open;
    /* Of the state that is expanded: */
    struct vm_candidate *candidates;
    size_t ncandidates, max_candidates;
    uint64_t enabled;
    uint64_t unknown; /* atoms that were not known in some state */
    bool booting;     /* it is what is before the boot */
    /* Why it ends early: */
    unsigned broken;
    const char *unsuited;
    bool failed, full, limited, cut;
    struct check_step error; /* failed: the last transition of the way to it */
};

/* Returns the options of a machine for it. */
struct vm_options explorer_machine(const struct vm_options *options,
                                   const struct query_set *queries);
/* Opens an explorer, of which program, options, queries, result, halt and fair are set.  False
 * if there is no memory. */
bool explorer_open(struct explorer *explorer);
void explorer_close(struct explorer *explorer);
/* Explores so many states at least, as far as there are more and limits allow it. */
void explorer_run(struct explorer *explorer, size_t many);
/* Are there states that could be expanded? */
bool explorer_has_more(const struct explorer *explorer);

/* follow.c.  explorer_follow: finds the path along these edges, in one execution; false if it
 * could not be found again, or the machine was halted.  explorer_path_to_error: the path to the
 * error that was met. */
struct lasso;
bool explorer_follow(struct explorer *explorer, const struct lasso *lasso,
                     struct check_path *path);
bool explorer_path_to_error(struct explorer *explorer, struct check_path *path);

/* Describes the transition that the walk is at the end of. */
bool explorer_see(struct explorer *explorer, struct transition *transition);
/* Notes, at each choice of a state that is expanded, which threads can be chosen. */
void explorer_note_choice(void *explorer);
void explorer_begin_state(struct explorer *explorer, bool boot);

#endif
