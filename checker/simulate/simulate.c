/* simulate.c - see simulate.h.
 *
 * Workers take runs by number.  The first runs are made by the first worker, as random walks if
 * the scheduler goes by what they show (profile.h), and the others wait for them.  An event, an
 * error or an assumption that does not hold, ends the simulation once all runs before it are
 * over. */
#include "simulate.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/search/guard.h"
#include "checker/search/usage.h"
#include "minimise.h"
#include "run.h"
#include "store/store.h"

enum { POLL_NS = 10 * 1000 * 1000 };
static const uint64_t NONE = UINT64_MAX;

struct event {
    uint64_t run; /* NONE: there was none */
    unsigned broken;
};

struct worker {
    /* Counts that the owner writes and all read (relaxed: they order nothing). */
    _Atomic uint64_t runs, finals, dropped, cut, steps;
    /* The owner's, and everybody's when all are done. */
    struct simulation *simulation;
    struct store_user *user;
    struct runner runner;
    bool opened;
    unsigned index;
    uint64_t most_steps;
    uint32_t most_threads;
    struct vm_stats stats;
};

struct simulation {
    const struct vm_program *program; /* immutable while it runs, as the next ones */
    const struct check_options *options;
    const struct check_sampling *sampling;
    const struct scheduler *scheduler;
    struct vm_options machine;
    struct vm_relief relief;
    struct store *finals; /* final states */
    struct worker *workers;
    unsigned nworkers;
    struct profile profile; /* worker 0's, and everybody's once it is made */
    _Atomic uint64_t next;  /* the run to be taken */
    _Atomic uint64_t first; /* of the event that is known */
    _Atomic int halt;       /* machines stop at once */
    enum check_limit limit; /* the next three: under lock */
    bool interrupted;
    struct event event;
    pthread_mutex_t lock;
    pthread_cond_t done, profiled;
    bool has_profile; /* under lock, as running */
    unsigned running;
};

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Adds to a counter that the owner alone writes. */
static void add(_Atomic uint64_t *counter, uint64_t n)
{
    atomic_store_explicit(counter, get(counter) + n, memory_order_relaxed);
}

/* ---- runs ------------------------------------------------------------------------ */

static void stop(struct simulation *simulation, enum check_limit limit, bool interrupted)
{
    pthread_mutex_lock(&simulation->lock);
    if (simulation->limit == CHECK_LIMIT_NONE && !simulation->interrupted) {
        simulation->limit = limit;
        simulation->interrupted = interrupted;
    }
    pthread_mutex_unlock(&simulation->lock);
    atomic_store_explicit(&simulation->halt, 1, memory_order_release);
}

static bool is_halted(const struct simulation *simulation)
{
    return atomic_load_explicit(&simulation->halt, memory_order_acquire);
}

static void note_event(struct simulation *simulation, uint64_t run, unsigned broken)
{
    pthread_mutex_lock(&simulation->lock);
    if (run < simulation->event.run) {
        simulation->event = (struct event){run, broken};
        atomic_store_explicit(&simulation->first, run, memory_order_relaxed);
    }
    pthread_mutex_unlock(&simulation->lock);
}

static void count_final(struct worker *worker)
{
    uint64_t hash[2];
    store_id id;
    runner_hash(&worker->runner, hash);
    if (store_find_or_put(worker->user, hash, STORE_NONE, NULL, &id) == STORE_NEW)
        add(&worker->finals, 1);
}

/* Ends a run; true if there may be more. */
static bool end_run(struct worker *worker, uint64_t index, enum run_end end)
{
    struct simulation *simulation = worker->simulation;
    const struct scheduling *s = &worker->runner.scheduling;
    switch (end) {
    case RUN_FINAL: count_final(worker); break;
    case RUN_DROPPED: add(&worker->dropped, 1); break;
    case RUN_CUT: add(&worker->cut, 1); break;
    case RUN_ERROR: note_event(simulation, index, 0); break;
    case RUN_BROKEN: note_event(simulation, index, vm_broken(worker->runner.vm)); break;
    case RUN_HALTED:
        if (!is_halted(simulation))
            stop(simulation, CHECK_LIMIT_MEMORY, false);
        return false;
    }
    add(&worker->runs, 1);
    add(&worker->steps, s->step);
    worker->most_steps = s->step > worker->most_steps ? s->step : worker->most_steps;
    worker->most_threads = s->met > worker->most_threads ? s->met : worker->most_threads;
    return end != RUN_ERROR && end != RUN_BROKEN;
}

static struct random random_of(const struct simulation *simulation, uint64_t index)
{
    return random_seeded(simulation->sampling->seed, index);
}

/* Returns the scheduler of a run; the first runs show what there is. */
static const struct scheduler *scheduler_of(const struct simulation *simulation, uint64_t index)
{
    const struct scheduler *scheduler = simulation->scheduler;
    if (scheduler->profiles && index < PROFILE_RUNS)
        return &scheduler_random_walk;
    return scheduler->of_run ? scheduler->of_run(index) : scheduler;
}

static uint64_t runs_wanted(const struct simulation *simulation)
{
    uint64_t runs = simulation->sampling->runs;
    return runs ? runs : NONE;
}

static void profile_threads(struct profile *profile, const struct scheduling *s)
{
    for (size_t i = 0; i < s->nthreads; i++)
        if (s->threads[i].thread)
            profile_thread(profile, s->threads[i].number, s->threads[i].parent);
}

static void make_profile(struct worker *worker)
{
    struct simulation *simulation = worker->simulation;
    struct runner *runner = &worker->runner;
    runner->profiled = &simulation->profile;
    for (uint64_t i = 0; i < PROFILE_RUNS && i < runs_wanted(simulation) &&
                         !is_halted(simulation) && runner->first.n;
         i++) {
        enum run_end end =
            runner_run(runner, scheduler_of(simulation, i), random_of(simulation, i));
        if (end != RUN_HALTED) {
            profile_threads(&simulation->profile, &runner->scheduling);
            profile_run(&simulation->profile, runner->scheduling.step, runner->scheduling.met);
        }
        if (!end_run(worker, i, end))
            break;
    }
    runner->profiled = NULL;
    profile_end(&simulation->profile);
    pthread_mutex_lock(&simulation->lock);
    simulation->has_profile = true;
    pthread_cond_broadcast(&simulation->profiled);
    pthread_mutex_unlock(&simulation->lock);
}

static void await_profile(struct simulation *simulation)
{
    pthread_mutex_lock(&simulation->lock);
    while (!simulation->has_profile)
        pthread_cond_wait(&simulation->profiled, &simulation->lock);
    pthread_mutex_unlock(&simulation->lock);
}

static void make_runs(struct worker *worker)
{
    struct simulation *simulation = worker->simulation;
    while (!is_halted(simulation)) {
        uint64_t i = atomic_fetch_add_explicit(&simulation->next, 1, memory_order_relaxed);
        if (i >= runs_wanted(simulation) || i > get(&simulation->first))
            return;
        enum run_end end =
            runner_run(&worker->runner, scheduler_of(simulation, i), random_of(simulation, i));
        if (!end_run(worker, i, end))
            return;
    }
}

/* Tells that all runs are one, which has been executed. */
static void tell_alike(struct worker *worker)
{
    if (worker->index == 0)
        end_run(worker, 0, worker->runner.alike);
}

static void *work(void *arg)
{
    struct worker *worker = arg;
    struct simulation *simulation = worker->simulation;
    vm_relieve(&simulation->relief);
    struct vm_options machine = simulation->machine;
    machine.halt = &simulation->halt;
    worker->opened = runner_open(&worker->runner, simulation->program, &machine,
                                 simulation->options, &simulation->profile);
    if (!worker->opened)
        stop(simulation, CHECK_LIMIT_MEMORY, false);
    if (worker->index == 0)
        make_profile(worker);
    else
        await_profile(simulation);
    if (worker->opened && !worker->runner.first.n)
        tell_alike(worker);
    else if (worker->opened)
        make_runs(worker);
    if (worker->opened)
        worker->stats = *vm_stats(worker->runner.vm);
    runner_close(&worker->runner);
    vm_thread_ends();
    pthread_mutex_lock(&simulation->lock);
    if (--simulation->running == 0)
        pthread_cond_signal(&simulation->done);
    pthread_mutex_unlock(&simulation->lock);
    return NULL;
}

/* ---- limits ---------------------------------------------------------------------- */

static void check_end(struct simulation *simulation, double start)
{
    const struct check_options *options = simulation->options;
    struct check_progress progress = {
        .seconds = watch_now() - start, .most_left = HUGE_VAL, .bytes = watch_resident_bytes()};
    for (unsigned i = 0; i < simulation->nworkers; i++) {
        progress.runs += get(&simulation->workers[i].runs);
        progress.transitions += get(&simulation->workers[i].steps);
        progress.states += get(&simulation->workers[i].finals);
    }
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        stop(simulation, CHECK_LIMIT_NONE, true);
    else if (options->deadline > 0 && watch_now() >= options->deadline)
        stop(simulation, CHECK_LIMIT_TIME, false);
    else if (options->max_bytes && progress.bytes >= options->max_bytes)
        stop(simulation, CHECK_LIMIT_MEMORY, false);
    if (options->watch)
        options->watch(options->watch_context, &progress);
}

static void wait_for_workers(struct simulation *simulation, double start)
{
    struct timespec wake;
    pthread_mutex_lock(&simulation->lock);
    while (simulation->running) {
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += POLL_NS;
        if (wake.tv_nsec >= 1000000000) {
            wake.tv_nsec -= 1000000000;
            wake.tv_sec++;
        }
        if (pthread_cond_timedwait(&simulation->done, &simulation->lock, &wake) == 0)
            continue;
        pthread_mutex_unlock(&simulation->lock);
        check_end(simulation, start);
        pthread_mutex_lock(&simulation->lock);
    }
    pthread_mutex_unlock(&simulation->lock);
}

/* ---- results --------------------------------------------------------------------- */

static uint64_t peak_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (uint64_t)usage.ru_maxrss * 1024;
}

static void add_stats(const struct simulation *simulation, struct check_result *result)
{
    struct check_stats *stats = &result->stats;
    struct check_sampled *sampled = &result->sampled;
    *stats = (struct check_stats){.peak_bytes = peak_bytes()};
    *sampled = (struct check_sampled){.scheduler = simulation->sampling->name,
                                      .seed = simulation->sampling->seed,
                                      .pct_depth = simulation->sampling->pct_depth,
                                      .guarded = simulation->profile.steps};
    for (unsigned i = 0; i < simulation->nworkers; i++) {
        const struct worker *worker = &simulation->workers[i];
        sampled->runs += get(&worker->runs);
        sampled->cut += get(&worker->cut);
        stats->final_states += get(&worker->finals);
        stats->dropped += get(&worker->dropped);
        stats->transitions += get(&worker->steps);
        stats->instructions += worker->stats.instructions;
        stats->objects_made += worker->stats.objects_made;
        stats->objects_copied += worker->stats.objects_copied;
        stats->bytes_copied += worker->stats.bytes_copied;
        stats->bytes_hashed += worker->stats.bytes_hashed;
        if (worker->most_steps > sampled->steps)
            sampled->steps = worker->most_steps;
        if (worker->most_threads > sampled->threads)
            sampled->threads = worker->most_threads;
    }
    stats->depth = sampled->steps;
    stats->executions = sampled->runs;
    stats->cut = sampled->cut;
    sampled->alike = simulation->workers[0].opened && !simulation->workers[0].runner.first.n;
}

/* Begins a guard for what comes after a time limit: each part of it has a little time of its
 * own, so that an error is told even if there is no time to minimise its run. */
static void guard_again(struct guard *guard, const struct check_options *options)
{
    guard_end(guard);
    guard_begin(guard, options, guard_last_deadline(options));
}

/* Makes the failing run once more, records and minimises it.  The guard has begun, and does not
 * end. */
static bool record_run(const struct simulation *simulation, struct guard *guard,
                       struct record *record, struct check_result *result)
{
    struct vm_options machine = simulation->machine;
    struct runner runner;
    uint64_t index = simulation->event.run;
    machine.halt = &guard->halt;
    if (!runner_open(&runner, simulation->program, &machine, simulation->options,
                     &simulation->profile))
        return false;
    runner.record = record;
    bool failed = runner_run(&runner, scheduler_of(simulation, index),
                             random_of(simulation, index)) == RUN_ERROR;
    result->sampled.preemptions_before = record_preemptions(record);
    guard_again(guard, simulation->options);
    if (failed)
        result->sampled.fewest = minimise(&runner, record, simulation->sampling->seed);
    result->sampled.preemptions = record_preemptions(record);
    runner_close(&runner);
    return failed;
}

static void tell_error(const struct simulation *simulation, struct check_result *result)
{
    struct guard guard;
    struct record record = {0};
    struct vm_options machine = simulation->machine;
    machine.halt = &guard.halt;
    guard_begin(&guard, simulation->options, guard_last_deadline(simulation->options));
    bool found = record_run(simulation, &guard, &record, result);
    guard_again(&guard, simulation->options);
    found = found && check_follow(simulation->program, &machine, record.choices,
                                  record.nchoices, &result->path);
    guard_end(&guard);
    record_fini(&record);
    result->sampled.runs = simulation->event.run + 1;
    result->stats.executions = result->sampled.runs;
    result->outcome = found ? CHECK_ERROR : CHECK_BROKEN;
    if (!found)
        check_out_of_time(&guard, result);
}

static void conclude(const struct simulation *simulation, struct check_result *result)
{
    if (simulation->event.run != NONE) {
        tell_error(simulation, result);
    } else if (simulation->interrupted) {
        result->outcome = CHECK_INTERRUPTED;
    } else {
        bool all = simulation->limit == CHECK_LIMIT_NONE;
        result->outcome = CHECK_INCOMPLETE;
        result->limit = all ? CHECK_LIMIT_RUNS : simulation->limit;
    }
}

/* ---- all of it ------------------------------------------------------------------- */

static bool simulation_open(struct simulation *simulation, const struct vm_program *program,
                            const struct check_options *options,
                            const struct vm_options *machine)
{
    *simulation = (struct simulation){
        .program = program,
        .options = options,
        .sampling = &options->sampling,
        .scheduler = scheduler_by_index(options->sampling.scheduler),
        .machine = *machine,
        .relief = vm_relief(),
        .nworkers = options->workers,
        .running = options->workers,
        .next = PROFILE_RUNS,
        .first = NONE,
        .event = {.run = NONE},
        .workers = check_zeros(options->workers, sizeof *simulation->workers),
        .finals = store_open(&(struct store_options){.users = options->workers,
                                                     .max_bytes = options->max_bytes / 4}),
    };
    simulation->machine.halt = NULL;
    pthread_mutex_init(&simulation->lock, NULL);
    pthread_cond_init(&simulation->done, NULL);
    pthread_cond_init(&simulation->profiled, NULL);
    return simulation->finals;
}

static void simulation_close(struct simulation *simulation)
{
    store_close(simulation->finals);
    free(simulation->workers);
    profile_fini(&simulation->profile);
    pthread_cond_destroy(&simulation->profiled);
    pthread_cond_destroy(&simulation->done);
    pthread_mutex_destroy(&simulation->lock);
}

static void start_workers(struct simulation *simulation)
{
    pthread_attr_t detached;
    pthread_attr_init(&detached);
    pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
    for (unsigned i = 0; i < simulation->nworkers; i++) {
        struct worker *worker = &simulation->workers[i];
        pthread_t thread;
        worker->simulation = simulation;
        worker->user = store_user(simulation->finals, i);
        worker->index = i;
        if (pthread_create(&thread, &detached, work, worker) == 0)
            continue;
        fprintf(stderr, "divm: cannot start worker %u: use fewer (--workers)\n", i + 1);
        exit(CHECK_EXIT_INTERNAL);
    }
    pthread_attr_destroy(&detached);
}

/* Simulates once.  Returns the assumptions of which some must be dropped for another
 * simulation; 0: this one has an answer. */
static unsigned simulate_once(const struct vm_program *program,
                              const struct check_options *options, double start,
                              struct check_result *result)
{
    struct simulation simulation;
    if (!simulation_open(&simulation, program, options, &result->machine)) {
        result->outcome = CHECK_INCOMPLETE;
        result->limit = options->max_bytes ? CHECK_LIMIT_MEMORY : CHECK_LIMIT_EXHAUSTED;
        simulation_close(&simulation);
        return 0;
    }
    start_workers(&simulation);
    wait_for_workers(&simulation, start);
    unsigned broken = simulation.event.broken;
    add_stats(&simulation, result);
    if (!broken)
        conclude(&simulation, result);
    simulation_close(&simulation);
    return broken;
}

void simulate_run(const struct vm_program *program, const struct check_options *options,
                  struct check_result *result)
{
    double start = watch_now();
    struct check_options timed = *options;
    if (timed.max_seconds > 0 && !timed.deadline)
        timed.deadline = start + timed.max_seconds;
    *result = (struct check_result){.machine = options->machine};
    result->machine.without_forks = true;
    result->machine.thread_symmetry = false; /* no two states are taken for each other */
    unsigned broken;
    while ((broken = simulate_once(program, &timed, start, result)))
        result->broken |= vm_drop_assumption(&result->machine, broken);
    result->stats.seconds = watch_now() - start;
}
