/* search.h - what the searches share: workers, expansion, limits.  Internal.
 *
 * struct search is set up by search_open, run by one of the searches in one thread
 * per worker, and watched by the thread that called check_run. */
#ifndef CHECKER_SEARCH_H
#define CHECKER_SEARCH_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>

#include "barrier.h"
#include "check.h"
#include "checker/dpor/dpor.h"
#include "ends.h"
#include "errors.h"
#include "forecast.h"
#include "guard.h"
#include "probe.h"
#include "spill.h"
#include "walk.h"
#include "worklist.h"

/* Why a search stops before it is through. */
enum search_stop {
    STOP_NONE,
    STOP_ERROR, /* DFS only, and if one is enough: BFS finishes the level */
    STOP_LIMIT, /* search->limit */
    STOP_INTERRUPT,
    STOP_ASSUMPTION, /* search->broken: to be repeated without */
    STOP_DPOR,       /* search->dpor has the answer: search->answer */
};

/* A state that was expanded, with no end near it (endless.h). */
struct search_far {
    store_id state;
    unsigned depth;
};

struct search_worker {
    /* Counts that the owner writes and the watcher reads (relaxed: they order nothing). */
    alignas(64) _Atomic uint64_t states;
    _Atomic uint64_t transitions, final_states, dropped, open_made, open_done;
    _Atomic unsigned depth;
    /* The owner's, and everybody's when all are done. */
    alignas(64) struct search *search;
    struct vm *vm; /* NULL: the worker has finished, and these are its figures */
    struct vm_stats stats;
    struct walk walk;
    struct store_user *user;
    struct vm_contents contents; /* of an exact store: what the machine asks */
    const struct task *current;  /* being expanded, NULL for the boot */
    size_t follow;               /* so many tasks stand before it, and follow */
    bool prefetched;             /* some of them were brought near */
    struct queue found;          /* the open states it made */
    bool rises;       /* the state being expanded has a successor that comes later, or an end */
    store_id last;    /* its successor that the machine is at; NONE: it is at none */
    struct ends ends; /* for endless.h, as the next ones */
    struct search_far *far;
    size_t nfar, max_far;
    uint64_t aside; /* instructions of the machine that are none of the search's */
    /* The worker whose chunks this one takes at present (itself: no other yet), and how many of
     * those are left, as they are taken from behind. */
    unsigned other;
    size_t rest;
    struct vm_bytes buffer; /* for spilling */
    struct chunk *left;     /* not expanded, when the search was stopped */
    struct search_errors errors;
    bool cut;   /* a state at the depth limit was not expanded */
    bool stays; /* on one processor */
    unsigned index;
    struct worklist
        worklists[2]; /* of this level and of the next: level.turn says which is which */
};

/* The level being expanded by all workers of a breadth-first search. */
struct search_level {
    unsigned turn;          /* this level's index in search_worker.parts */
    size_t n;               /* chunks, in all parts */
    size_t full, next_full; /* tasks of a full one; of those that are found */
    bool over;
    size_t expanded; /* states of earlier levels */
    size_t grace;    /* the other search has an error: how many more are expanded */
    size_t states;   /* in all chunks */
    bool stay;       /* workers stay on processors, from this one on */
    unsigned processor;
    /* portfolio.c: states of the last levels, the latest first; what was found and executed
     * before this level; and how many states are left to be expanded, as it seems. */
    double before[5], found, left;
    uint64_t instructions, transitions;
    size_t turns;         /* chunks before which the other search has had its turn */
    bool is_shared;       /* it has turns */
    bool counted;         /* `next` counts the chunks that were taken */
    _Atomic size_t limit; /* chunks to expand: n, or less if grace ends */
    alignas(64) _Atomic size_t next;
};

/* Figures of levels for the watcher: written between levels, read at any time (relaxed). */
struct search_told {
    _Atomic uint64_t level;
    _Atomic double growth, all, least, most, run_length;
};

/* The state of checkpoints (checkpoint.c).  Fields without a remark belong to the worker that
 * writes one, while the others wait. */
struct search_saving {
    _Atomic int wanted;   /* set by the watcher, or a worker */
    _Atomic int stop;     /* enum search_stop: what the search stops for after the next one, */
    _Atomic int limit;    /* enum check_limit: and this; set after it */
    _Atomic double asked; /* by watch_now: since when */
    _Atomic int writing;
    _Atomic double last, lasted; /* when the last one was written, and how long that took */
    int from;                    /* the file of the one that the search goes on from */
    struct vm_bytes buffer;
    bool saved, told,
        goes_on; /* the last one is of now; an error was told; the level goes on */
};

struct search {
    const struct vm_program *program; /* immutable while it runs, as the next ones */
    const struct check_options *options;
    struct vm_options machine;
    struct store *store;
    struct search_worker *workers;
    unsigned nworkers;
    bool levels;                  /* breadth first */
    _Atomic int stop;             /* enum search_stop, set once */
    _Atomic unsigned broken;      /* the assumptions that do not hold: see vm_broken */
    _Atomic int at_once;          /* it was: neither the other search's turn nor the end of a
                                     transition is waited for */
    struct vm_relief relief;      /* of the thread that opened it, and of all workers */
    _Atomic int shared;           /* the other search has turns, and no answer yet */
    _Atomic int held;             /* memory is scarce: the other search goes on alone.  Set by
                                     the watcher */
    _Atomic int limit;            /* enum check_limit, set before stop */
    _Atomic uint64_t budget_used; /* of max_states, where there is such a limit */
    struct search_level level;
    struct forecast forecast; /* of the worker that makes levels, like the next ones */
    double forecasted;        /* when it was told last */
    struct probe probe;
    bool begun; /* there was a level */
    uint64_t
        complete; /* levels all of whose states were expanded, from that of the boot's on */
    struct search_told told;
    bool saves, resumes; /* immutable while it runs: checkpoints are written, one is read */
    struct search_saving saving;
    int ndropped; /* assumptions, one after the other: immutable, as the next one */
    unsigned dropped[VM_ASSUMPTIONS];
    uint64_t instructions_before; /* by a search that this one goes on with */
    uint64_t looked_on;           /* states expanded for endless.h, when it is through */
    bool unjudged; /* whether there are endless runs is not known, and all else is */
    struct check_unexplored unexplored; /* of what is left, if the search was cut short */
    struct spill *spill;                /* NULL: open states stay in memory */
    size_t base_bytes;                  /* allocated before the first state */
    uint64_t open_states, open_bytes;   /* when they were most at the start of a level */
    struct dpor *dpor;                  /* the other search, NULL if there is none (any more) */
    enum dpor_end answer;               /* what it said last */
    struct barrier barrier;
    pthread_mutex_t lock; /* protects running */
    pthread_cond_t done;
    unsigned running;
};

/* Were the search's machines halted for a reason that is known? */
bool search_is_halted(const struct search *search);
/* Opens a search; false if there is no memory. */
bool search_open(struct search *search, const struct vm_program *program,
                 const struct check_options *options, const struct vm_options *machine);
void search_close(struct search *search);

/* Thread bodies; the argument is the worker. */
void *search_bfs(void *worker);
void *search_dfs(void *worker);
void *search_dpor(void *worker);

/* Returns a machine that gives states the same ids as worker 0's; NULL if there is no
 * memory. */
struct vm *search_machine(struct search *search, const _Atomic int *halt, struct walk *walk);

/* Expands one open state, which is gone after it, or the boot (NULL).  So many tasks that stand
 * before it will be expanded after it, backwards. */
void search_expand(struct search_worker *worker, const struct task *task, size_t follow);
void search_stop(struct search *search, enum search_stop stop, enum check_limit limit);
/* Stops the search, which is to be repeated without one of these assumptions (vm_broken). */
void search_break(struct search *search, unsigned broken);
bool search_stopped(const struct search *search);
/* Was the search stopped, or is memory left to the search by executions? */
bool search_rests(const struct search *search);
/* Closes the machine of a worker whose thread is about to end, beside those of others. */
void search_finished(struct search_worker *worker);

/* Tells what the levels so far forecast.  Of the worker that makes levels, or after the search.
 */
void search_forecast(struct search *search);
struct check_progress search_progress(const struct search *search);
/* Has an error been found that ends the search? */
bool search_has_error(const struct search *search);
/* Has a limit or an interrupt ended it, before it found an error? */
bool search_is_cut_short(const struct search *search);
/* Returns the errors of all workers that are reported.  The caller owns the list. */
struct search_errors search_errors(const struct search *search);

/* portfolio.c: lets the search by executions run beside a breadth-first one.  portfolio_plan is
 * called where a level begins, by one worker while the others wait; portfolio_take by worker 0
 * where that many turns of the level are due, one before each chunk and one after all. */
void portfolio_plan(struct search *search);
void portfolio_take(struct search *search, size_t turns);
/* Has the level that was planned turns? */
bool portfolio_has_turns(const struct search *search);
/* Lets executions go on alone while states are held: by worker 0, until there is an answer or a
 * limit. */
void portfolio_alone(struct search *search);
/* Returns the search that will probably need much less; CHECK_AUTO: that is not known. */
enum check_search portfolio_favoured(const struct search *search);
/* Returns how many chunks of the level have this number of states at most, or all chunks if the
 * level has no more states (some chunks are not full). */
size_t portfolio_chunks(const struct search_level *level, size_t states);

/* path.c: finds the path to an error.  False if it cannot be found again, or if *halt was
 * set. */
bool path_find(struct search *search, const struct search_error *error, const _Atomic int *halt,
               struct check_path *path);
/* Finds a path to a state; its hashes are the store's. */
bool path_to_state(struct search *search, store_id state, const _Atomic int *halt,
                   struct check_path *path);
/* Puts hashes that mean something elsewhere, too, into a path from the store; the last step has
 * none. */
bool path_numbers(struct search *search, const _Atomic int *halt, struct check_path *path);
/* The message of an endless run. */
#define PATH_ENDLESS "no end of the program can be reached any more"
/* Begins the last step of such a path. */
void path_start_endless(struct vm *vm, const struct check_path *path);
/* Runs one transition by its choices; false if they don't fit. */
bool path_step(struct vm *vm, const struct check_step *step);

/* fewest.c: replaces the path by one to the same error in as many steps, with as few
 * preemptions as possible; it stays as it is if that takes too much, or if *halt is set. */
void path_take_fewest(const struct vm_program *program, const struct vm_options *machine,
                      const _Atomic int *halt, struct check_path *path);

/* watch.c: waits for all workers and watches limits. */
void watch_search(struct search *search, double start);
/* Forecasts the time that is left, by the figures and by how long these took: the search is
 * over when one of the two searches is. */
void watch_forecast(struct check_progress *progress);

#endif
