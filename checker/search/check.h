/* check.h - exploring all states of a loaded program, and re-executing one path.
 *
 * check_run owns nothing of its arguments and leaves nothing running.  A result is
 * freed by check_result_fini, a path by check_path_fini.  Threads: one call at a
 * time per program; check_run makes its own workers. */
#ifndef CHECKER_CHECK_H
#define CHECKER_CHECK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/vm.h"

#define CHECK_VERSION "0.1.0"

/* Exit statuses of the command. */
enum {
#define EXIT(id, status, text) CHECK_EXIT_##id = status,
#include "exits.def"
};

/* CHECK_AUTO: breadth first, and executions (dpor.h) where there are many states. */
enum check_search { CHECK_AUTO, CHECK_BFS, CHECK_DFS, CHECK_DPOR };

enum check_limit {
#define CHECK_LIMIT(name, text) CHECK_LIMIT_##name,
#include "limits.def"
    CHECK_LIMIT_COUNT
};

/* How many states or executions there seem to be in all, and between which two numbers that
 * most likely is.  all is 0 if nothing is known. */
struct check_forecast {
    double all, least, most;
};

/* Random runs beside a search (probe.h): n that came to their end, and how many had not after
 * 100,000 transitions.  For those with an end: how many transitions they have, and how many
 * runs there seem to be, as logarithms to the base of 10, of the estimate and of those of
 * single runs. */
struct check_runs {
    uint64_t n, unended, shortest, longest;
    double mean, log_all, log_least, log_most;
};

struct check_progress {
    bool by_states, by_executions;      /* which searches there are; of the first: */
    uint64_t states, transitions, open; /* open: found, not yet expanded */
    uint64_t level; /* the distance from the first state of those that are expanded, if that is
                       breadth first */
    double growth;  /* how many times as many as in the level before, 0: not known */
    struct check_forecast states_in_all;
    double run_length; /* of random runs, the mean; 0: not known */
    /* of the second: */
    uint64_t executions;
    struct check_forecast executions_in_all;
    unsigned depth;
    size_t bytes; /* of the process */
    double seconds;
    double least_left, most_left; /* seconds; HUGE_VAL: not known */
    uint64_t runs;                /* of a simulation, which has no states */
};

/* Runs that are chosen at random (checker/simulate/), instead of a search. */
struct check_sampling {
    const char *name;   /* the scheduler's; NULL: it is a search */
    unsigned scheduler; /* its place in checker/simulate/schedulers.def */
    uint64_t runs;      /* 0: no limit */
    uint64_t seed;
    unsigned pct_depth; /* at least 1 */
};

/* The results of such runs. */
struct check_sampled {
    const char *scheduler; /* its name; NULL: it was a search */
    uint64_t seed;
    unsigned pct_depth;
    uint64_t runs;    /* that are over; up to the failing one if there is one */
    uint64_t cut;     /* of those: they were not followed to their ends */
    uint64_t steps;   /* of a run, at most */
    uint64_t guarded; /* the same of the first runs, which PCT goes by */
    uint32_t threads;
    bool alike;                             /* there is nothing to choose */
    size_t preemptions, preemptions_before; /* of the failing run: as told, as found */
    bool fewest;                            /* no run with this kind of error has fewer */
};

/* Checkpoints (checkpoint.h) of a breadth-first search. */
struct check_saving {
    const char *file;     /* where they are written, or NULL */
    double every;         /* seconds */
    const char *resume;   /* the one to go on from, which saved_check has passed, or NULL */
    const char *identity; /* of the search: what is asked of the one to go on from */
};

struct check_options {
    enum check_search search; /* CHECK_DFS and CHECK_DPOR use one worker */
    unsigned workers;         /* at least 1 */
    struct vm_options machine;
    struct spill
        *spill; /* where open states of BFS wait if memory is scarce (spill.h), or NULL */
    const struct check_saving *saving; /* or NULL */
    struct check_sampling sampling;
    bool bounded; /* by preemptions: bounded.h */
    uint64_t max_preemptions;
    struct encounters *encounters; /* conflicting accesses that meet are noted here, but not by
                                  executions (encounters.h); or NULL */
    bool probes;        /* random runs tell how long runs are, beside the search (probe.h) */
    bool exact;         /* states are kept as such, not by their hashes */
    bool allow_endless; /* states from which no end can be reached are no error */
    bool endless_last;  /* they are one, but end no search: a state is looked for (--reach) */
    bool all_errors; /* go on after an error: one of each kind and place is reported. Executions
                        then only tell that there is none */
    /* 0 means no limit */
    double max_seconds;
    double
        deadline; /* by watch_now (guard.h): when they are over.  0: so long after the call */
    uint64_t max_bytes, max_states, max_depth;
    const char *again; /* words of the program and its options for commands that a report
                          suggests, each behind a blank; or NULL */
    const _Atomic int *interrupted; /* or NULL; set: stop soon */
    /* Called some hundred times a second by the thread that called check_run. */
    void (*watch)(void *context, const struct check_progress *progress);
    void *watch_context;
};

/* One transition: its choices, those with a single alternative left out, and the
 * fingerprint of the state it leads to (0 for the error's, and where any state will do). */
struct check_step {
    uint64_t hash;
    int *choices;
    size_t n;
    bool no_end;  /* it leads to the first state of the path from which no end can be reached */
    bool loop;    /* it leads to the state that the last transition leads to again */
    bool endless; /* the last one may be: it is no transition, but what is told of the run that
                     the others are a part of */
};

/* The end of a path that is endless. */
struct check_endless {
    enum vm_fault_kind kind; /* NONE: VM_FAULT_ENDLESS */
    char *text;              /* the path's; NULL: that no end can be reached any more */
    size_t query;            /* the formula's number, from 1 on; 0: there is none */
};

struct check_path {
    struct check_step *steps; /* the first is the boot */
    size_t n;
    struct check_endless endless;
};

void check_path_fini(struct check_path *path);

enum check_outcome {
    CHECK_OK,          /* no error, everything seen */
    CHECK_ERROR,       /* path leads to it */
    CHECK_INCOMPLETE,  /* limit says why */
    CHECK_INTERRUPTED, /* *interrupted was set */
    CHECK_UNSUITED,    /* CHECK_DPOR cannot answer */
    CHECK_BROKEN,      /* our own fault: the path cannot be found again */
};

struct check_stats {
#define CHECK_STAT(name, kind, text) uint64_t name;
#include "stats.def"
    double seconds;
};

/* A thread in the states that an incomplete search leaves, and where it acts next
 * (unexplored.h).
 */
struct check_unexplored_thread {
    uint64_t tid;
    char *entry; /* the function that it runs */
};
struct check_unexplored_line {
    char *file, *function;
    unsigned line;
    char *object; /* of the action, "" if it has no name */
    bool others;  /* it is about other objects, too */
    uint64_t actions;
    uint64_t threads; /* bit tid % 64: the thread does it */
};
struct check_unexplored {
    uint64_t execution; /* 0: it is of states; else the actions of the present execution, */
    uint64_t sampled;   /* so many of them where others are tried as well; or states, */
    uint64_t actions;   /* and what is done next there */
    struct check_unexplored_thread *threads;
    size_t nthreads;
    struct check_unexplored_line *lines; /* the most frequent first */
    size_t nlines;
};

struct check_result {
    enum check_outcome outcome;
    enum check_limit limit; /* also of ERROR with cut */
    struct check_path path;
    struct vm_options machine; /* the options of the search that gave the outcome */
    unsigned broken; /* the assumptions that had to be dropped for it, 1 << VM_ASSUMES_... */
    enum check_search answer;   /* the search that gave the outcome */
    enum check_search favoured; /* by the default, at a limit; CHECK_AUTO: none */
    const char *why;            /* CHECK_UNSUITED: that is so; CHECK_LIMIT_MACHINE: which */
    const struct vm_weak *weak; /* the program's, or NULL; whoever reports sets it */
    const char *unreached; /* "x == 2 is never true", if it is complete, or NULL; likewise */
    enum vm_model model;   /* that was searched; likewise */
    bool strong_exchanges; /* its weak compare-exchanges did not fail spuriously; likewise */
    bool large_atomics;    /* its large atomic objects showed no older values; likewise */
    bool exhausted;        /* though a run is endless all states were expanded: ERROR */
    bool unjudged;         /* all but whether a run is endless is known: INCOMPLETE */
    bool found;            /* an error, but not in time the way to it: INCOMPLETE */
    struct check_sampled sampled;
    /* With all_errors: the paths to the others, the nearest first; and whether a limit
     * (CHECK_LIMIT_NONE: an interrupt) was met, so that there may be more. */
    struct check_path *more;
    size_t nmore;
    bool cut;
    bool states_by_c11;   /* live: all else was searched under C11's model */
    bool live;            /* it is of infinite runs; all else was searched before */
    bool bounded;         /* by preemptions: */
    uint64_t preemptions; /* of the error; without one, all executions with fewer were seen */
    struct check_stats stats;
    /* The fields of an incomplete search: */
    uint64_t proven; /* no interleaving has an error among so many first actions */
    bool saved;      /* a checkpoint is of its end */
    uint64_t open;   /* states that were not expanded */
    double growth;   /* as in check_progress, like the next ones */
    double least_left, most_left;
    struct check_forecast states_in_all, executions_in_all;
    struct check_runs runs;
    struct check_unexplored unexplored;
};

void check_run(const struct vm_program *program, const struct check_options *options,
               struct check_result *result);
void check_result_fini(struct check_result *result);

/* Probability that a search with such counts, by fingerprints, missed a state. */
double check_omission(const struct check_stats *stats);
/* Probability that the search which gave the outcome missed a state, or left out an execution.
 */
double check_mistaken(const struct check_result *result, const struct check_options *options);

/* Finds the execution in which this was chosen, wherever there was more than one alternative,
 * up to an error: true if there was one, with the path that leads to it. */
bool check_follow(const struct vm_program *program, const struct vm_options *machine,
                  const int *choices, size_t n, struct check_path *path);

/* Executes a path again, with the listener set.  Returns the number of transitions that went as
 * recorded: path->n if all did and the last one is an error.  It ends early if machine->halt is
 * set. */
size_t check_replay(const struct vm_program *program, const struct vm_options *machine,
                    const struct check_path *path, void (*begin)(void *context, struct vm *vm),
                    vm_listener *listener, void *context);

/* Is it true that no end can be reached from the state that a path's step with no_end leads to?
 * All that comes after it is explored.  False also if machine->halt is set, or if the path does
 * not go as recorded. */
bool check_never_ends(const struct vm_program *program, const struct vm_options *machine,
                      const struct check_path *path);
/* Goes on after such a path: makes a long run in which everything is chosen at random.  The
 * listener hears the last part of it, and what threads do then.  If the path has a loop, the
 * listener hears the loop. */
void check_go_on(const struct vm_program *program, const struct vm_options *machine,
                 const struct check_path *path, void (*begin)(void *context, struct vm *vm),
                 vm_listener *listener, void *context);

/* Return the exit status for an error of this kind, and the name of its class. */
int check_exit_status(enum vm_fault_kind kind);
const char *check_class_name(enum vm_fault_kind kind);

#endif
