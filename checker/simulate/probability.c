/* probability.c - see probability.h.
 *
 * Workers take runs by number, and write how each ended into a table.  The thread that waits
 * for them goes through the table in order, and ends the sampling when it knows enough. */
#include "probability.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checker/memory.h"
#include "checker/search/usage.h"
#include "run.h"

enum { POLL_NS = 2 * 1000 * 1000, TRIES = 1000 };
static const uint64_t MOST = 1 << 22;

/* The end of a run; its entry in the table is this and its length. */
enum ending { NOT_YET, SATISFIED, ENDED, FAILED, CUT, ENDINGS };

struct sampling;

struct sampler {
    struct sampling *sampling;
    struct runner runner;
    bool opened;
    pthread_t thread;
};

struct sampling {
    const struct vm_program *program; /* immutable, as the next ones */
    const struct check_options *options;
    const struct probability_options *asked;
    struct vm_options machine;
    struct vm_relief relief;
    struct sampler *samplers;
    uint64_t limit;
    _Atomic uint32_t
        *endings;          /* of the runs; written once, released to who goes through them */
    _Atomic uint64_t next; /* the run to be taken */
    _Atomic uint64_t dropped;
    _Atomic unsigned broken, running;
    _Atomic int halt, first_error, exhausted;
};

/* ---- who goes on ----------------------------------------------------------------- */

/* Returns the function that a thread began in: the outermost of the program's own. */
static const char *entry_of(const struct vm *vm, uint32_t number)
{
    enum { MOST_THREADS = 256 };
    struct vm_view_thread threads[MOST_THREADS];
    const char *entry = "";
    struct vm_place place;
    size_t n = vm_view_threads(vm, threads, MOST_THREADS);
    for (size_t k = 0; k < n; k++)
        for (uint64_t f = threads[k].tid == number ? threads[k].frame : 0; f;
             f = vm_caller(vm, f))
            if (vm_frame_place(vm, f, &place))
                entry = vm_frame_name(vm, f);
    return entry;
}

static double weight_of(const struct probability_options *asked, const struct vm *vm,
                        uint32_t number)
{
    const char *entry = entry_of(vm, number);
    for (size_t k = 0; k < asked->nweights; k++)
        if (!strcmp(asked->weights[k].function, entry))
            return asked->weights[k].weight;
    return 1;
}

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    const struct probability_options *asked = s->plan;
    if (!asked->nweights)
        return (int)random_below(&s->random, (uint64_t)choice->n);
    double sum = 0;
    for (int i = 0; i < choice->n; i++)
        sum += weight_of(asked, s->vm, choice->candidates[i].number);
    double at = ldexp((double)(random_next(&s->random) >> 11), -53) * sum;
    for (int i = 0; i < choice->n - 1; i++) {
        at -= weight_of(asked, s->vm, choice->candidates[i].number);
        if (at < 0)
            return i;
    }
    return choice->n - 1;
}

static const struct scheduler by_weight = {.name = "by weight", .pick = pick};

/* ---- runs ------------------------------------------------------------------------ */

static bool is_halted(const struct sampling *sampling)
{
    return atomic_load_explicit(&sampling->halt, memory_order_acquire);
}

static void halt(struct sampling *sampling)
{
    atomic_store_explicit(&sampling->halt, 1, memory_order_release);
}

static enum ending ending_of(struct sampler *sampler, enum run_end end)
{
    struct sampling *sampling = sampler->sampling;
    int none = VM_FAULT_NONE;
    if (end != RUN_ERROR)
        return end == RUN_CUT ? CUT : ENDED;
    struct vm_failure failure = vm_failure(sampler->runner.vm);
    if (failure.kind == VM_FAULT_REACH)
        return SATISFIED;
    atomic_compare_exchange_strong_explicit(&sampling->first_error, &none, (int)failure.kind,
                                            memory_order_relaxed, memory_order_relaxed);
    return FAILED;
}

/* Makes a run.  A run that an assumption of the program drops does not count, and another one
 * takes its place. */
static enum run_end make_run(struct sampler *sampler, uint64_t index)
{
    struct sampling *sampling = sampler->sampling;
    enum run_end end = RUN_DROPPED;
    sampler->runner.scheduling.plan = (void *)sampling->asked;
    for (uint64_t k = 0; k < TRIES && end == RUN_DROPPED; k++) {
        struct random random =
            random_seeded(sampling->options->sampling.seed + (k << 32), index);
        end = runner_run(&sampler->runner, &by_weight, random);
        if (end == RUN_DROPPED)
            atomic_fetch_add_explicit(&sampling->dropped, 1, memory_order_relaxed);
    }
    return end;
}

static void make_runs(struct sampler *sampler)
{
    struct sampling *sampling = sampler->sampling;
    while (!is_halted(sampling)) {
        uint64_t i = atomic_fetch_add_explicit(&sampling->next, 1, memory_order_relaxed);
        if (i >= sampling->limit)
            return;
        enum run_end end = make_run(sampler, i);
        if (end == RUN_BROKEN)
            atomic_fetch_or_explicit(&sampling->broken, vm_broken(sampler->runner.vm),
                                     memory_order_relaxed);
        if (end == RUN_DROPPED || (end == RUN_HALTED && !is_halted(sampling)))
            atomic_store_explicit(&sampling->exhausted, 1 + (end == RUN_DROPPED),
                                  memory_order_relaxed);
        if (end == RUN_BROKEN || end == RUN_DROPPED || end == RUN_HALTED) {
            halt(sampling);
            return;
        }
        const struct runner *runner = &sampler->runner;
        uint32_t length = (uint32_t)(runner->before + runner->scheduling.step);
        atomic_store_explicit(&sampling->endings[i], length * ENDINGS + ending_of(sampler, end),
                              memory_order_release);
    }
}

static void *work(void *arg)
{
    struct sampler *sampler = arg;
    struct sampling *sampling = sampler->sampling;
    struct vm_options machine = sampling->machine;
    vm_relieve(&sampling->relief);
    machine.halt = &sampling->halt;
    sampler->opened =
        runner_open(&sampler->runner, sampling->program, &machine, sampling->options, NULL);
    if (sampler->opened)
        make_runs(sampler);
    else
        halt(sampling);
    runner_close(&sampler->runner);
    vm_thread_ends();
    atomic_fetch_sub_explicit(&sampling->running, 1, memory_order_release);
    return NULL;
}

/* ---- what they say --------------------------------------------------------------- */

/* The lengths of the runs that satisfy the query, in order of the runs. */
struct lengths {
    uint32_t *at;
    uint64_t n, least, most;
};

static void count(struct probability *result, struct lengths *lengths, uint32_t entry)
{
    uint32_t length = entry / ENDINGS;
    enum ending ending = (enum ending)(entry % ENDINGS);
    result->runs++;
    result->steps = length > result->steps ? length : result->steps;
    result->errors += ending == FAILED;
    result->cut += ending == CUT;
    if (ending != SATISFIED)
        return;
    result->satisfied++;
    lengths->least = lengths->n && lengths->least < length ? lengths->least : length;
    lengths->most = lengths->most > length ? lengths->most : length;
    lengths->at[lengths->n++] = length;
}

/* Goes through the runs that have ended; true if no more are needed. */
static bool go_through(const struct sampling *sampling, struct decision *decision,
                       struct lengths *lengths, struct probability *result)
{
    while (result->runs < sampling->limit) {
        uint32_t entry =
            atomic_load_explicit(&sampling->endings[result->runs], memory_order_acquire);
        if (!entry)
            return false;
        count(result, lengths, entry);
        if (sampling->asked->decides)
            result->decided = decision_trial(decision, entry % ENDINGS == SATISFIED);
        if (result->decided != DECIDED_NOT_YET)
            return true;
    }
    return true;
}

static void draw(struct probability *result, const struct lengths *lengths)
{
    result->from = lengths->least;
    result->width = (lengths->most - lengths->least) / PROBABILITY_BARS + 1;
    for (uint64_t k = 0; k < lengths->n; k++)
        result->bars[(lengths->at[k] - result->from) / result->width]++;
}

/* ---- limits ---------------------------------------------------------------------- */

static bool is_over(const struct sampling *sampling, double start, struct probability *result)
{
    const struct check_options *options = sampling->options;
    uint64_t bytes = watch_resident_bytes();
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        result->outcome = CHECK_INTERRUPTED;
    else if (options->deadline > 0 && watch_now() >= options->deadline)
        result->limit = CHECK_LIMIT_TIME;
    else if (options->max_bytes && bytes >= options->max_bytes)
        result->limit = CHECK_LIMIT_MEMORY;
    if (options->watch)
        options->watch(options->watch_context,
                       &(struct check_progress){.runs = result->runs,
                                                .seconds = watch_now() - start,
                                                .most_left = HUGE_VAL,
                                                .bytes = bytes});
    return result->outcome == CHECK_INTERRUPTED || result->limit != CHECK_LIMIT_NONE;
}

static void await(struct sampling *sampling, double start, struct lengths *lengths,
                  struct probability *result)
{
    const struct probability_options *asked = sampling->asked;
    struct decision decision = {0};
    struct timespec pause = {.tv_nsec = POLL_NS};
    if (asked->decides)
        decision = decision_begin(asked->theta, asked->delta, asked->alpha, asked->beta);
    for (;;) {
        bool running = atomic_load_explicit(&sampling->running, memory_order_acquire);
        bool known = go_through(sampling, &decision, lengths, result);
        if (known || !running || is_over(sampling, start, result))
            break;
        nanosleep(&pause, NULL);
    }
    halt(sampling);
}

/* ---- all of it ------------------------------------------------------------------- */

static void start_workers(struct sampling *sampling)
{
    unsigned n = sampling->options->workers;
    atomic_init(&sampling->running, n);
    sampling->samplers = check_zeros(n, sizeof *sampling->samplers);
    for (unsigned i = 0; i < n; i++) {
        struct sampler *sampler = &sampling->samplers[i];
        sampler->sampling = sampling;
        if (pthread_create(&sampler->thread, NULL, work, sampler) == 0)
            continue;
        fprintf(stderr, "divm: cannot start worker %u: use fewer (--workers)\n", i + 1);
        exit(CHECK_EXIT_INTERNAL);
    }
}

static uint64_t runs_wanted(const struct probability_options *asked)
{
    if (asked->runs)
        return asked->runs < MOST ? asked->runs : MOST;
    return asked->decides ? MOST : estimate_trials(asked->alpha, asked->epsilon, MOST);
}

/* Are there as many runs as were asked for?  The limit may have been too low for the width of
 * the interval, but not for this one. */
static bool is_enough(const struct sampling *sampling, const struct probability *result)
{
    const struct probability_options *asked = sampling->asked;
    if (asked->decides)
        return result->decided != DECIDED_NOT_YET;
    if (asked->runs)
        return result->runs == asked->runs;
    return result->runs == sampling->limit &&
           (sampling->limit < MOST ||
            result->interval.high - result->interval.low <= 2 * asked->epsilon);
}

static void conclude(const struct sampling *sampling, const struct lengths *lengths,
                     struct probability *result)
{
    const struct probability_options *asked = sampling->asked;
    if (result->runs && !asked->decides)
        result->interval = estimate_interval(result->satisfied, result->runs, asked->alpha);
    bool enough = is_enough(sampling, result);
    if (result->outcome != CHECK_INTERRUPTED)
        result->outcome = enough ? CHECK_OK : CHECK_INCOMPLETE;
    if (!enough && result->limit == CHECK_LIMIT_NONE)
        result->limit =
            atomic_load(&sampling->exhausted) == 1 ? CHECK_LIMIT_MEMORY : CHECK_LIMIT_RUNS;
    result->dropped = atomic_load(&sampling->dropped);
    result->first_error = (enum vm_fault_kind)atomic_load(&sampling->first_error);
    result->has_interval = enough && !asked->decides;
    if (lengths->n)
        draw(result, lengths);
}

/* Samples once.  Returns the assumptions of which some must be dropped, so that all is
 * repeated; or 0. */
static unsigned sample_once(const struct vm_program *program,
                            const struct check_options *options,
                            const struct probability_options *asked,
                            const struct vm_options *machine, struct probability *result)
{
    struct sampling sampling = {.program = program,
                                .options = options,
                                .asked = asked,
                                .machine = *machine,
                                .relief = vm_relief(),
                                .limit = runs_wanted(asked)};
    struct lengths lengths = {.at = check_zeros(sampling.limit, sizeof *lengths.at)};
    *result = (struct probability){0};
    sampling.endings = check_zeros(sampling.limit, sizeof *sampling.endings);
    start_workers(&sampling);
    await(&sampling, watch_now(), &lengths, result);
    for (unsigned i = 0; i < options->workers; i++)
        pthread_join(sampling.samplers[i].thread, NULL);
    unsigned broken = atomic_load(&sampling.broken);
    conclude(&sampling, &lengths, result);
    free(sampling.samplers);
    free(sampling.endings);
    free(lengths.at);
    return broken;
}

void probability_run(const struct vm_program *program, const struct check_options *options,
                     const struct probability_options *asked, struct probability *result)
{
    struct vm_options machine = options->machine;
    unsigned broken;
    machine.without_forks = true;
    machine.thread_symmetry = machine.deferred_joins = machine.conditional = machine.read_only =
        false; /* each visible action is a step */
    while ((broken = sample_once(program, options, asked, &machine, result)))
        vm_drop_assumption(&machine, broken);
}
