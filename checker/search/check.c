/* check.c - one verification: the search, repeated without an assumption that fails, and the
 * path to the error. */
#include "check.h"
#include "checker/search/usage.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "bounded.h"
#include "checker/array.h"
#include "checkpoint.h"
#include "endless.h"
#include "search.h"

static uint64_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static bool executions_answer(const struct search *search)
{
    return search->answer == DPOR_COMPLETE ||
           atomic_load_explicit(&search->stop, memory_order_relaxed) == STOP_DPOR;
}

/* Adds the statistics of a search that has ended. */
static void add_stats(const struct search *search, struct check_stats *stats)
{
    struct check_progress progress = search_progress(search);
    *stats = (struct check_stats){
        .states = progress.states,
        .transitions = progress.transitions,
        .depth = progress.depth,
        .store_bytes = search->store ? store_stats(search->store).bytes : 0,
        .peak_bytes = peak_bytes(),
        .open_states = search->open_states,
        .open_bytes = search->open_bytes,
        .instructions = search->instructions_before,
        .expanded_again = search->looked_on,
    };
    if (search->spill)
        stats->spilled_bytes =
            atomic_load_explicit(&search->spill->bytes, memory_order_relaxed);
    if (search->dpor) {
        struct dpor_stats dpor = dpor_stats(search->dpor);
        const struct vm_stats machine = dpor_machine(search->dpor), *vm = &machine;
        stats->executions = dpor.executions;
        stats->cut = dpor.cut;
        stats->compared = dpor.compared;
        if (search->options->search == CHECK_DPOR || executions_answer(search)) {
            stats->states = stats->transitions = dpor.transitions;
            stats->depth = dpor.depth;
        }
        stats->instructions += vm->instructions;
        stats->objects_made += vm->objects_made;
        stats->objects_copied += vm->objects_copied;
        stats->bytes_copied += vm->bytes_copied;
    }
    for (unsigned i = 0; search->workers && i < search->nworkers; i++) {
        const struct search_worker *worker = &search->workers[i];
        const struct vm_stats *vm = &worker->stats;
        stats->final_states +=
            atomic_load_explicit(&worker->final_states, memory_order_relaxed);
        stats->expanded_again += worker->ends.expanded;
        stats->dropped += atomic_load_explicit(&worker->dropped, memory_order_relaxed);
        stats->instructions += vm->instructions - worker->aside;
        stats->objects_made += vm->objects_made;
        stats->objects_copied += vm->objects_copied;
        stats->objects_visited += vm->objects_visited;
        stats->repeated += vm->repeated;
        stats->memo_bytes += vm->tcache_bytes;
        stats->bytes_copied += vm->bytes_copied;
        stats->bytes_hashed += vm->bytes_hashed;
        stats->restores += vm->restores;
        stats->snapshots += vm->snapshots;
    }
}

/* Starts the workers.  Nobody waits for their ends: when a thread ends, jemalloc gives back
 * what it has freed, in some 1,000 pieces, which it can do while results are told. */
static void start_workers(struct search *search)
{
    void *(*body)(void *) = search->levels                          ? search_bfs
                            : search->options->search == CHECK_DPOR ? search_dpor
                                                                    : search_dfs;
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (unsigned i = 0; i < search->nworkers; i++) {
        pthread_t thread;
        if (pthread_create(&thread, &detached, body, &search->workers[i]) == 0)
            continue;
        /* The others wait for it where they meet, for ever. */
        fprintf(stderr, "divm: cannot start worker %u: use fewer (--workers)\n", i + 1);
        exit(CHECK_EXIT_INTERNAL);
    }
    pthread_attr_destroy(&detached);
}

static bool was_cut(const struct search *search)
{
    for (unsigned i = 0; i < search->nworkers; i++)
        if (search->workers[i].cut)
            return true;
    return false;
}

void check_out_of_time(struct guard *guard, struct check_result *result)
{
    enum check_limit limit;
    bool halted = guard_halted(guard, &limit);
    if (!halted && !vm_was_refused())
        return;
    if (!halted)
        limit = CHECK_LIMIT_MEMORY;
    result->found = true;
    result->outcome = limit == CHECK_LIMIT_NONE ? CHECK_INTERRUPTED : CHECK_INCOMPLETE;
    result->limit = limit;
}

/* Finds the path to an error.  An error is one even if a limit was hit in the same level, or
 * while a shorter error was looked for, or if the user did not want to wait for the end of the
 * level. */
static void find_path(struct search *search, const struct search_error *error,
                      struct check_result *result, struct check_path *path)
{
    struct guard guard;
    guard_begin(&guard, search->options, guard_last_deadline(search->options));
    bool found = error->endless ? endless_path(search, error, &guard.halt, path)
                                : path_find(search, error, &guard.halt, path);
    if (found && search->levels && !error->endless)
        path_take_fewest(search->program, &search->machine, &guard.halt, path);
    guard_end(&guard);
    result->outcome = found ? CHECK_ERROR : CHECK_BROKEN;
    if (!found)
        check_out_of_time(&guard, result);
}

/* Finds the paths to all errors, the nearest first. */
static void find_paths(struct search *search, const struct search_errors *errors,
                       struct check_result *result)
{
    size_t max = 0;
    find_path(search, &errors->at[0], result, &result->path);
    for (size_t i = 1; i < errors->n && result->outcome == CHECK_ERROR && !result->cut; i++) {
        struct check_result one = {.machine = result->machine};
        struct check_path path = {0};
        find_path(search, &errors->at[i], &one, &path);
        if (one.outcome == CHECK_ERROR) {
            ARRAY_PUSH(result->more, result->nmore, max, path);
            continue;
        }
        check_path_fini(&path);
        result->cut = true;
        result->limit = one.limit;
        if (one.outcome == CHECK_BROKEN && !result->machine.next_id_matters)
            result->outcome = CHECK_BROKEN; /* it is searched again */
    }
}

/* Notes why there may be more errors than were found. */
static void note_cut(const struct search *search, int stop, struct check_result *result)
{
    result->cut =
        result->cut || stop == STOP_LIMIT || stop == STOP_INTERRUPT || was_cut(search);
    if (stop == STOP_LIMIT)
        result->limit =
            (enum check_limit)atomic_load_explicit(&search->limit, memory_order_relaxed);
    else if (was_cut(search) && stop != STOP_INTERRUPT)
        result->limit = CHECK_LIMIT_DEPTH;
}

/* Were all states expanded? */
static bool is_through(const struct search *search)
{
    return search->options->search != CHECK_DPOR && !search_stopped(search) &&
           !was_cut(search) && (search->options->all_errors || !search_has_error(search));
}

static void conclude(struct search *search, struct check_result *result)
{
    bool through = is_through(search);
    if (through)
        endless_judge_far(search);
    result->unjudged = search->unjudged;
    int stop = atomic_load_explicit(&search->stop, memory_order_relaxed);
    struct search_errors errors = search_errors(search);
    result->answer = search->levels ? CHECK_BFS : search->options->search;
    if (errors.n) {
        find_paths(search, &errors, result);
        result->exhausted = through && search->options->endless_last;
        if (search->options->all_errors && result->outcome == CHECK_ERROR)
            note_cut(search, stop, result);
    } else if (search->answer == DPOR_ERROR) {
        result->answer = CHECK_DPOR;
        result->outcome = CHECK_ERROR;
        result->path = dpor_path(search->dpor);
        result->machine.read_only = false; /* it has the stops of that search */
    } else if (executions_answer(search)) {
        result->answer = CHECK_DPOR;
        result->outcome = search->answer == DPOR_COMPLETE ? CHECK_OK : CHECK_UNSUITED;
        result->why = dpor_why(search->dpor);
    } else if (stop == STOP_INTERRUPT) {
        result->outcome = CHECK_INTERRUPTED;
    } else if (stop == STOP_LIMIT) {
        result->outcome = CHECK_INCOMPLETE;
        if (search->options->search == CHECK_AUTO)
            result->favoured = portfolio_favoured(search);
        result->limit =
            (enum check_limit)atomic_load_explicit(&search->limit, memory_order_relaxed);
    } else if (was_cut(search)) {
        result->outcome = CHECK_INCOMPLETE;
        result->limit = CHECK_LIMIT_DEPTH;
    } else {
        result->outcome = CHECK_OK;
    }
    errors_fini(&errors);
}

/* Assumptions that have failed, one after the other; and whether the search without them goes
 * on from a checkpoint. */
struct dropped {
    int n;
    unsigned list[VM_ASSUMPTIONS];
    bool resumes;
};

static void drop(struct dropped *dropped, unsigned broken, struct check_result *result)
{
    assert(dropped->n < VM_ASSUMPTIONS);
    dropped->list[dropped->n++] = broken;
    result->broken |= vm_drop_assumption(&result->machine, broken);
}

/* Drops the assumptions that the search of a checkpoint had dropped. */
static void resume(struct dropped *dropped, const struct check_options *options,
                   struct check_result *result)
{
    unsigned list[VM_ASSUMPTIONS];
    bool resumes = options->saving && options->saving->resume;
    int n = resumes ? checkpoint_dropped(options->saving->resume, list) : 0;
    for (int i = 0; i < n; i++)
        drop(dropped, list[i], result);
    dropped->resumes = resumes;
}

/* Notes how far the search came. */
static void note_progress(struct search *search, double start, struct check_result *result)
{
    search_forecast(search);
    struct check_progress progress = search_progress(search);
    progress.seconds = watch_now() - start;
    watch_forecast(&progress);
    result->least_left = progress.least_left;
    result->most_left = progress.most_left;
    result->proven = search->complete;
    result->saved = search->saving.saved;
    result->open = progress.open;
    result->growth = progress.growth;
    result->states_in_all = progress.states_in_all;
    result->executions_in_all = progress.executions_in_all;
    result->runs = search->probe.runs;
    result->unexplored = search->unexplored;
}

/* Searches once.  Returns the assumptions of which some must be dropped for another search; 0:
 * this one has an answer. */
static unsigned search_once(const struct vm_program *program,
                            const struct check_options *options, double start,
                            const struct dropped *dropped, struct check_result *result)
{
    struct search search;
    unsigned broken = 0;
    if (!search_open(&search, program, options, &result->machine)) {
        result->outcome = CHECK_INCOMPLETE;
        result->limit = options->max_bytes ? CHECK_LIMIT_MEMORY : CHECK_LIMIT_EXHAUSTED;
    } else {
        search.resumes = dropped->resumes;
        search.ndropped = dropped->n;
        memcpy(search.dropped, dropped->list, sizeof search.dropped);
        start_workers(&search);
        watch_search(&search, start);
        if (atomic_load_explicit(&search.stop, memory_order_relaxed) == STOP_ASSUMPTION)
            broken = atomic_load_explicit(&search.broken, memory_order_relaxed);
        else
            conclude(&search, result);
        if (!broken && result->outcome == CHECK_BROKEN && !result->machine.next_id_matters)
            broken = 1u << VM_ASSUMES_IDS;
    }
    add_stats(&search, &result->stats);
    note_progress(&search, start, result);
    search_close(&search);
    return broken;
}

static void search_until_answered(const struct vm_program *program,
                                  const struct check_options *options, double start,
                                  struct check_result *result)
{
    *result = (struct check_result){.machine = options->machine};
    result->machine.without_forks = true; /* libraries that can fork seldom do */
    unsigned broken;
    struct dropped dropped = {0};
    resume(&dropped, options, result);
    if (options->bounded) /* the thread that ran last is known by its number */
        result->machine.thread_symmetry = false;
    while ((broken = options->bounded
                         ? bounded_run(program, options, start, result)
                         : search_once(program, options, start, &dropped, result))) {
        check_result_fini(result);
        drop(&dropped, broken, result);
        dropped.resumes = false;
    }
}

/* Judges whether each run can end, after a search by preemptions that has explored all else: by
 * a search of its own. */
static void judge_bounded(const struct vm_program *program, struct check_options *options,
                          double start, struct check_result *result)
{
    struct check_result plain;
    options->bounded = false;
    options->search = CHECK_BFS;
    search_until_answered(program, options, start, &plain);
    if (plain.outcome == CHECK_OK) {
        check_result_fini(&plain);
        return;
    }
    check_result_fini(result);
    *result = plain;
}

/* Verifies.  Executions cannot go on after an error: if all errors are wanted, states are
 * searched for them. */
void check_run(const struct vm_program *program, const struct check_options *options,
               struct check_result *result)
{
    assert(options->workers > 0);
    double start = watch_now();
    struct check_options timed = *options;
    if (timed.max_seconds > 0 && !timed.deadline)
        timed.deadline = start + timed.max_seconds;
    search_until_answered(program, &timed, start, result);
    if (timed.bounded && !timed.allow_endless && result->outcome == CHECK_OK)
        judge_bounded(program, &timed, start, result);
    if (timed.all_errors && result->outcome == CHECK_ERROR && result->answer == CHECK_DPOR) {
        timed.search = CHECK_BFS;
        check_result_fini(result);
        search_until_answered(program, &timed, start, result);
    }
    result->stats.seconds = watch_now() - start;
}

/* Returns the probability that some state was taken for another.  Two of so many states may
 * have the same fingerprint.  Of the phases of transitions a quarter at most is cached
 * (vm/tcache/tcache.h), each with some ten nodes and a few objects that are told from others by
 * 64 bits. */
double check_omission(const struct check_stats *stats)
{
    double states = (double)stats->states, parts = states + (double)stats->transitions;
    double p = 0.5 * states * states + parts * parts;
    for (int i = 0; i < STORE_FINGERPRINT_BITS; i++)
        p /= 2;
    return p;
}

/* Returns the probability that some execution was left out since one of so many hashes of what
 * a thread has read was taken for that of something else (checker/dpor/dpor_retry.c; the
 * states of threads have twice as many bits, which count for nothing beside that). */
static double left_out(const struct check_stats *stats)
{
    double p = (double)stats->compared;
    for (int i = 0; i < DPOR_READ_BITS; i++)
        p /= 2;
    return p;
}

double check_mistaken(const struct check_result *result, const struct check_options *options)
{
    if (result->answer == CHECK_DPOR)
        return left_out(&result->stats);
    return options->exact ? 0 : check_omission(&result->stats);
}

/* ---- classes of faults ----------------------------------------------------------- */

enum class { ASSERT, DEADLOCK, MEMORY, RACE, ENDLESS, OTHER, REFUSED, LIMITED };

static const struct {
    const char *name;
    int status;
} classes[] = {
    [ASSERT] = {"assert", CHECK_EXIT_ASSERT},
    [DEADLOCK] = {"deadlock", CHECK_EXIT_DEADLOCK},
    [MEMORY] = {"memory", CHECK_EXIT_MEMORY},
    [RACE] = {"race", CHECK_EXIT_RACE},
    [ENDLESS] = {"endless", CHECK_EXIT_ENDLESS},
    [OTHER] = {"other", CHECK_EXIT_OTHER},
    [REFUSED] = {"refused", CHECK_EXIT_REFUSED},
    [LIMITED] = {"incomplete", CHECK_EXIT_INCOMPLETE},
};

static const enum class class_of[] = {
#define VM_FAULT(name, class, text) [VM_FAULT_##name] = class,
#include "vm/fault.def"
};

int check_exit_status(enum vm_fault_kind kind)
{
    return classes[class_of[kind]].status;
}

const char *check_class_name(enum vm_fault_kind kind)
{
    return classes[class_of[kind]].name;
}
