/* search.c - expanding a state: the same for every search. */
#include "search.h"
#include "checker/search/checkpoint.h"
#include "checker/search/endless.h"
#include "checker/search/spill.h"
#include "checker/search/usage.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/array.h"

static uint64_t get(const _Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

/* Counts one.  The owner alone writes: no read-modify-write. */
static void count(_Atomic uint64_t *counter)
{
    atomic_store_explicit(counter, get(counter) + 1, memory_order_relaxed);
}

/* ---- open and close -------------------------------------------------------------- */

static uint32_t number_contents(void *user, const void *bytes, size_t n)
{
    return store_contents(user, bytes, n);
}

static struct vm *open_machine(struct search_worker *worker, struct walk *walk,
                               size_t tcache_bytes, const _Atomic int *halt)
{
    struct search *search = worker->search;
    struct vm_options machine = search->machine;
    machine.tcache_bytes = tcache_bytes;
    machine.halt = halt;
    if (search->options->exact)
        machine.contents = &worker->contents;
    struct vm *vm = vm_open(search->program, &machine);
    if (!vm)
        return NULL;
    walk_init(walk, vm);
    walk->encounters = search->options->encounters;
    if (search->options->exact)
        walk->exact = worker->user;
    return vm;
}

struct vm *search_machine(struct search *search, const _Atomic int *halt, struct walk *walk)
{
    return open_machine(&search->workers[0], walk, 0, halt);
}

/* Returns the bytes for each worker's transition cache: a small part of what there may be in
 * all.  0 if errors are to be told apart (vm_failure). */
static size_t tcache_bytes(const struct search *search)
{
    if (search->options->all_errors)
        return 0;
    enum { MOST = 64 << 20, PART = 16 };
    size_t worklist = search->options->max_bytes / PART / search->nworkers;
    return worklist && worklist < MOST ? worklist : MOST;
}

static bool worker_open(struct search *search, unsigned index)
{
    struct search_worker *worker = &search->workers[index];
    worker->search = search;
    worker->index = index;
    worker->user = store_user(search->store, index);
    worker->contents = (struct vm_contents){worker->user, number_contents};
    queue_init(&worker->found);
    worklist_init(&worker->worklists[0]);
    worklist_init(&worker->worklists[1]);
    worker->vm = open_machine(worker, &worker->walk, tcache_bytes(search), &search->at_once);
    worker->walk.store = search->store;
    return worker->vm;
}

static void close_machine(struct search_worker *worker)
{
    worker->stats = *vm_stats(worker->vm);
    walk_fini(&worker->walk);
    vm_close(worker->vm);
    worker->vm = NULL;
}

static void worker_close(struct search_worker *worker)
{
    queue_fini(&worker->found);
    worklist_fini(&worker->worklists[0]);
    worklist_fini(&worker->worklists[1]);
    if (worker->left)
        chunk_drop(worker->left);
    free(worker->buffer.at);
    free(worker->far);
    ends_fini(&worker->ends);
    errors_fini(&worker->errors);
    if (worker->vm)
        close_machine(worker);
}

bool search_open(struct search *search, const struct vm_program *program,
                 const struct check_options *options, const struct vm_options *machine)
{
    memset(search, 0, sizeof *search);
    search->program = program;
    search->options = options;
    search->machine = *machine;
    search->machine.halt = &search->at_once;
    search->relief = vm_relief();
    search->levels = options->search == CHECK_BFS || options->search == CHECK_AUTO;
    search->nworkers = search->levels ? options->workers : 1;
    search->running = search->nworkers;
    atomic_init(&search->saving.last, watch_now());
    search->saves = options->search != CHECK_DFS && options->saving && options->saving->file;
    search->level.next_full = CHUNK_TASKS;
    search->spill = search->levels ? options->spill : NULL;
    if (search->spill)
        spill_reset(search->spill);
    barrier_init(&search->barrier, search->nworkers);
    pthread_mutex_init(&search->lock, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&search->done, &monotonic);
    pthread_condattr_destroy(&monotonic);
    size_t bytes = search->nworkers * sizeof *search->workers;
    search->workers = aligned_alloc(alignof(struct search_worker), bytes);
    search->store = store_open(&(struct store_options){
        .users = search->nworkers,
        .max_bytes = options->max_bytes,
        .exact = options->exact,
    });
    if (options->search == CHECK_AUTO || options->search == CHECK_DPOR)
        search->dpor = dpor_open(program, &search->machine);
    if (!search->workers)
        return false;
    memset(search->workers, 0, bytes);
    if (!search->store)
        return false;
    for (unsigned i = 0; i < search->nworkers; i++)
        if (!worker_open(search, i))
            return false;
    return true;
}

void search_close(struct search *search)
{
    for (unsigned i = 0; search->workers && i < search->nworkers; i++)
        worker_close(&search->workers[i]);
    free(search->workers);
    dpor_close(search->dpor);
    store_close(search->store);
    forecast_fini(&search->forecast);
    free(search->saving.buffer.at);
    if (search->saving.from > 0)
        close(search->saving.from);
    pthread_cond_destroy(&search->done);
    pthread_mutex_destroy(&search->lock);
    barrier_fini(&search->barrier);
}

/* ---- stopping -------------------------------------------------------------------- */

/* Relaxed: it is polled; results are read after join. */
bool search_stopped(const struct search *search)
{
    return atomic_load_explicit(&search->stop, memory_order_relaxed) != STOP_NONE;
}

/* Acquire: pairs with search_stop, so that why it stops is seen as well. */
bool search_is_halted(const struct search *search)
{
    return atomic_load_explicit(&search->at_once, memory_order_acquire) ||
           search_stopped(search);
}

bool search_rests(const struct search *search)
{
    return search_stopped(search) || atomic_load_explicit(&search->held, memory_order_relaxed);
}

/* Notes broken assumptions before search_stop, whose exchange comes after them for all who read
 * why the search stopped. */
void search_break(struct search *search, unsigned broken)
{
    atomic_fetch_or_explicit(&search->broken, broken, memory_order_relaxed);
    search_stop(search, STOP_ASSUMPTION, CHECK_LIMIT_NONE);
}

void search_stop(struct search *search, enum search_stop stop, enum check_limit limit)
{
    int none = CHECK_LIMIT_NONE;
    if (limit != CHECK_LIMIT_NONE)
        atomic_compare_exchange_strong_explicit(&search->limit, &none, (int)limit,
                                                memory_order_relaxed, memory_order_relaxed);
    none = STOP_NONE;
    atomic_compare_exchange_strong_explicit(&search->stop, &none, (int)stop,
                                            memory_order_relaxed, memory_order_relaxed);
    if (limit != CHECK_LIMIT_STATES)
        atomic_store_explicit(&search->at_once, 1, memory_order_release);
}

void search_finished(struct search_worker *worker)
{
    struct search *search = worker->search;
    close_machine(worker);
    vm_thread_ends();
    pthread_mutex_lock(&search->lock);
    if (--search->running == 0)
        pthread_cond_signal(&search->done);
    pthread_mutex_unlock(&search->lock);
}

/* ---- expansion ------------------------------------------------------------------- */

static unsigned next_depth(const struct search_worker *worker)
{
    return worker->current ? worker->current->depth + 1 : 0;
}

static store_id parent_of(const struct search_worker *worker)
{
    return worker->current ? worker->current->id : STORE_NONE;
}

/* Notes an error.  Of errors of one state that are alike path.c takes the first. */
static void note_error(struct search_worker *worker)
{
    bool all = worker->search->options->all_errors;
    struct search_error error = {.state = parent_of(worker), .depth = next_depth(worker)};
    if (all)
        error.failure = vm_failure(worker->vm);
    errors_note(&worker->errors, &error);
    if (!worker->search->levels && !all)
        search_stop(worker->search, STOP_ERROR, CHECK_LIMIT_NONE);
}

/* Is one more state within --max-states?  Where checkpoints are written, the states at hand are
 * expanded all the same: nothing could go on from what is half done. */
static bool in_budget(struct search *search)
{
    uint64_t max = search->options->max_states;
    if (!max || atomic_fetch_add_explicit(&search->budget_used, 1, memory_order_relaxed) < max)
        return true;
    if (search->saves)
        checkpoint_ask(search, STOP_LIMIT, CHECK_LIMIT_STATES);
    return search->saves;
}

static void open_state(struct search_worker *worker, store_id id, unsigned depth)
{
    const struct check_options *options = worker->search->options;
    if (options->max_depth && depth >= options->max_depth) {
        worker->cut = true;
        return;
    }
    struct task task = {id, vm_snapshot(worker->vm), depth};
    queue_push(&worker->found, task);
    if (worker->found.top->n == worker->found.full && spill_is_on(worker->search->spill))
        spill_queue(worker->search->spill, &worker->found, &worker->buffer);
    count(&worker->open_made);
}

static enum store_put put_state(struct search_worker *worker, const uint64_t hash[2],
                                store_id *id)
{
    const struct store_place *place = &worker->walk.place;
    assert(place->id == STORE_NONE || place->id == store_id_of(hash)); /* it was predicted */
    return store_find_or_put(worker->user, hash, parent_of(worker), place, id);
}

static void new_state(struct search_worker *worker, store_id id)
{
    unsigned depth = next_depth(worker);
    if (!in_budget(worker->search)) {
        search_stop(worker->search, STOP_LIMIT, CHECK_LIMIT_STATES);
        return;
    }
    count(&worker->states);
    if (depth > atomic_load_explicit(&worker->depth, memory_order_relaxed))
        atomic_store_explicit(&worker->depth, depth, memory_order_relaxed);
    if (vm_flags(worker->vm) & VM_FLAG_END)
        count(&worker->final_states);
    else
        open_state(worker, id, depth);
}

/* Does a successor that was found before come later all the same? */
static bool is_later(struct search_worker *worker, store_id id, unsigned flags)
{
    return flags & VM_FLAG_END || !worker->current || endless_is_later(worker, id);
}

static bool visit_successor(void *context, struct walk *walk)
{
    struct search_worker *worker = context;
    struct search *search = worker->search;
    unsigned flags = vm_flags(walk->vm);
    unsigned broken = vm_broken(walk->vm);
    if (broken) {
        search_break(search, broken);
        return false;
    }
    worker->rises |= (flags & (VM_FLAG_ERROR | VM_FLAG_CANCEL | VM_FLAG_CLOCK)) != 0;
    if (flags & VM_FLAG_ERROR) {
        count(&worker->transitions);
        note_error(worker);
        return !search_stopped(search);
    }
    if (flags & VM_FLAG_CANCEL) {
        count(&worker->dropped);
        return !search_stopped(search);
    }
    count(&worker->transitions);
    uint64_t hash[2];
    store_id id = STORE_NONE;
    enum store_put put = walk_hash(walk, hash) ? put_state(worker, hash, &id) : STORE_FULL;
    if (put == STORE_FULL)
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_MEMORY);
    else if (put == STORE_NEW)
        new_state(worker, id);
    worker->last = id;
    worker->rises = worker->rises || put != STORE_FOUND || is_later(worker, id, flags);
    return !search_stopped(search);
}

/* Skips a predicted transition to a state that was found before.  New states are put in when
 * they are there: in the order of the choices, whatever is predicted (of states that are the
 * same up to symmetry, the search goes on from the first), and when what another worker wrote
 * there has come. */
static bool leaves_out(void *context, struct walk *walk, const struct vm_prediction *prediction,
                       struct store_place *place)
{
    struct search_worker *worker = context;
    if (!store_find(worker->user, store_id_of(prediction->hash), parent_of(worker), place))
        return false;
    worker->rises =
        worker->rises || is_later(worker, store_id_of(prediction->hash), prediction->flags);
    vm_skip(walk->vm, prediction);
    count(&worker->transitions);
    return true;
}

/* Prefetches some of the states that are expanded next, while the store's slots arrive. */
static void prefetch_next(void *context)
{
    struct search_worker *worker = context;
    const struct task *task = worker->current;
    if (worker->prefetched)
        return;
    worker->prefetched = true;
    if (worker->follow >= 3)
        vm_prefetch(task[-3].state, VM_PREFETCH_STATE);
    if (worker->follow >= 2)
        vm_prefetch(task[-2].state, VM_PREFETCH_CHANGES);
    if (worker->follow >= 1)
        vm_prefetch(task[-1].state, VM_PREFETCH_OBJECTS);
}

void search_expand(struct search_worker *worker, const struct task *task, size_t follow)
{
    static const struct walk_visitor visitor = {visit_successor, leaves_out, prefetch_next};
    worker->current = task;
    worker->follow = follow;
    worker->prefetched = !task;
    worker->last = STORE_NONE;
    worker->rises = !task || worker->search->options->allow_endless;
    bool all = walk_successors(&worker->walk, task ? task->state : NULL, &visitor, worker);
    if (!all && !search_is_halted(worker->search))
        search_stop(worker->search, STOP_LIMIT, spill_memory_limit(worker->search->spill));
    prefetch_next(worker);
    if (all && !worker->rises && !search_stopped(worker->search))
        endless_judge(worker);
    if (task)
        count(&worker->open_done);
}

/* ---- results --------------------------------------------------------------------- */

/* Does an error end the search? */
static bool is_end(const struct search *search, const struct search_error *error)
{
    return !error->endless || !search->options->endless_last;
}

bool search_has_error(const struct search *search)
{
    for (unsigned i = 0; i < search->nworkers; i++)
        for (size_t k = 0; k < search->workers[i].errors.n; k++)
            if (is_end(search, &search->workers[i].errors.at[k]))
                return true;
    return false;
}

struct search_errors search_errors(const struct search *search)
{
    struct search_errors all = {0};
    bool ends = search_has_error(search);
    for (unsigned i = 0; i < search->nworkers; i++)
        for (size_t k = 0; k < search->workers[i].errors.n; k++)
            if (is_end(search, &search->workers[i].errors.at[k]) || !ends)
                errors_note(&all, &search->workers[i].errors.at[k]);
    errors_sort(&all);
    return all;
}

/* Adds the figures of the search by executions, which has none of the search by states. */
static void add_executions(const struct search *search, struct check_progress *progress)
{
    struct dpor_progress dpor = dpor_progress(search->dpor);
    progress->by_executions = true;
    progress->executions = dpor.executions;
    progress->executions_in_all = dpor.in_all;
    if (search->options->search == CHECK_DPOR) {
        progress->transitions = dpor.transitions;
        progress->depth = dpor.depth;
    }
}

static double get_double(const _Atomic double *number)
{
    return atomic_load_explicit(number, memory_order_relaxed);
}

void search_forecast(struct search *search)
{
    struct search_told *told = &search->told;
    struct check_forecast all = forecast_states(&search->forecast);
    search->forecasted = watch_now();
    atomic_store_explicit(&told->all, all.all, memory_order_relaxed);
    atomic_store_explicit(&told->least, all.least, memory_order_relaxed);
    atomic_store_explicit(&told->most, all.most, memory_order_relaxed);
}

/* Raises a forecast: there are more by now than when it was made. */
static void at_least(struct check_forecast *forecast, uint64_t n)
{
    if (!forecast->all)
        return;
    forecast->all = fmax(forecast->all, (double)n);
    forecast->least = fmax(forecast->least, (double)n);
    forecast->most = fmax(forecast->most, (double)n);
}

struct check_progress search_progress(const struct search *search)
{
    const struct search_told *told = &search->told;
    struct check_progress progress = {
        .by_states = search->options->search != CHECK_DPOR,
        .level = get(&told->level),
        .growth = get_double(&told->growth),
        .states_in_all = {get_double(&told->all), get_double(&told->least),
                          get_double(&told->most)},
        .run_length = get_double(&told->run_length),
    };
    for (unsigned i = 0; search->workers && i < search->nworkers; i++) {
        const struct search_worker *worker = &search->workers[i];
        uint64_t done = get(&worker->open_done), made = get(&worker->open_made);
        progress.states += get(&worker->states);
        progress.transitions += get(&worker->transitions);
        progress.open += made - done; /* of all workers together it is not negative */
        unsigned depth = atomic_load_explicit(&worker->depth, memory_order_relaxed);
        if (depth > progress.depth)
            progress.depth = depth;
    }
    at_least(&progress.states_in_all, progress.states);
    if (search->dpor)
        add_executions(search, &progress);
    return progress;
}

bool search_is_cut_short(const struct search *search)
{
    int stop = atomic_load_explicit(&search->stop, memory_order_relaxed);
    return (stop == STOP_LIMIT || stop == STOP_INTERRUPT) && !search_has_error(search);
}
