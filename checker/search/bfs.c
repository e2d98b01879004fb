/* bfs.c - breadth-first search, level by level, by all workers together.
 *
 * A level's states are known before any of them is expanded, and are all expanded
 * before the next level starts, even if one has an error: so neither the counts
 * nor the reported error depend on the number of workers. */
#include <assert.h>
#include <stdlib.h>

#include "checker/search/checkpoint.h"
#include "checker/search/spill.h"
#include "checker/search/unexplored.h"
#include "checker/search/usage.h"
#include "processors.h"
#include "search.h"

static bool level_is_last(const struct search *search)
{
    return search_stopped(search) || (search_has_error(search) && !search->options->all_errors);
}

/* Returns how many chunks of the next level are to be expanded. */
static size_t next_limit(struct search_level *level, bool has_grace)
{
    if (!has_grace)
        return level->n;
    size_t limit = portfolio_chunks(level, level->grace);
    level->grace -= level->grace < level->states ? level->grace : level->states;
    return limit;
}

/* Returns the size of full chunks of the level after this one, which is probably about as
 * large: workers wait for each other at its end for the time of a chunk. */
static size_t next_full(const struct search *search)
{
    enum { CHUNKS = 64, LEAST = 4 };
    size_t full = search->level.states / search->nworkers / CHUNKS;
    if (search->nworkers == 1 || full > CHUNK_TASKS)
        return CHUNK_TASKS;
    return full < LEAST ? LEAST : full;
}

/* Measures the memory of open states: all but the store, the transition caches, and what there
 * was before the first state. */
static void measure_open(struct search *search)
{
    size_t states = search->level.states;
    if (states <= search->open_states)
        return;
    size_t bytes = watch_allocated_bytes();
    size_t others = search->base_bytes + store_stats(search->store).small_bytes;
    for (unsigned i = 0; i < search->nworkers; i++)
        others += vm_stats(search->workers[i].vm)->tcache_bytes;
    search->open_states = states;
    search->open_bytes = bytes > others ? bytes - others : 0;
}

/* Binds workers to processors if the search is large and has all of them: then no worker
 * changes its own, which costs all that is in its caches.  (If some were left, other searches
 * would take the same ones.) */
static void plan_processors(struct search *search)
{
    enum { MANY_STATES = 4096 };
    struct search_level *level = &search->level;
    if (level->stay || level->states < MANY_STATES || search->nworkers == 1 ||
        search->nworkers != processors_count())
        return;
    level->processor = processors_present();
    level->stay = true;
}

static void stay(struct search_worker *worker)
{
    const struct search_level *level = &worker->search->level;
    if (level->stay && !worker->stays)
        processors_stay(level->processor + worker->index);
    worker->stays = level->stay;
}

/* Tells the watcher how the search seems to go on.  A forecast takes long if there are many
 * levels, and nobody reads it so often. */
static void tell_level(struct search *search)
{
    static const double often = 0.5; /* seconds */
    struct search_told *told = &search->told;
    probe_some(search);
    search->forecast.run = probe_length(&search->probe);
    forecast_add(&search->forecast, (double)search->level.states);
    atomic_store_explicit(&told->level, search->complete, memory_order_relaxed);
    atomic_store_explicit(&told->growth, forecast_growth(&search->forecast),
                          memory_order_relaxed);
    atomic_store_explicit(&told->run_length, search->probe.runs.mean, memory_order_relaxed);
    if (watch_now() - search->forecasted > often)
        search_forecast(search);
}

/* Begins the next level, of all that workers have found.  One worker does so while the others
 * wait. */
static void next_level(struct search *search)
{
    struct search_level *level = &search->level;
    bool has_grace = search->answer == DPOR_ERROR;
    bool enough = has_grace && (level->grace == 0 || level->limit < level->n);
    bool whole = !search_rests(search) && !(has_grace && level->limit < level->n);
    search->complete += whole && search->begun;
    search->begun = true;
    if (level_is_last(search) || enough) {
        if (enough)
            search_stop(search, STOP_DPOR, CHECK_LIMIT_NONE);
        level->over = true;
        return;
    }
    store_next_level(search->store);
    level->expanded += level->states;
    level->full = level->next_full;
    level->turn ^= 1;
    level->n = level->states = 0;
    for (unsigned i = 0; i < search->nworkers; i++) {
        const struct worklist *worklist = &search->workers[i].worklists[level->turn];
        level->n += worklist->n;
        level->states += worklist->states;
    }
    level->next_full = next_full(search);
    tell_level(search);
    measure_open(search);
    plan_processors(search);
    portfolio_plan(search);
    level->counted = has_grace || portfolio_has_turns(search);
    atomic_store_explicit(&level->next, 0, memory_order_relaxed);
    atomic_store_explicit(&level->limit, next_limit(level, has_grace), memory_order_relaxed);
    level->over = level->n == 0;
}

/* Makes what a worker has found its part of the next level, before all workers meet. */
static void end_level(struct search_worker *worker)
{
    worklist_fill(&worker->worklists[worker->search->level.turn ^ 1], &worker->found);
}

static void enter_level(struct search_worker *worker)
{
    worker->found.full = worker->search->level.next_full;
    worker->other = worker->index;
    worker->rest = 0;
    stay(worker);
}

static void begin_level(struct search_worker *worker)
{
    worklist_clear(&worker->worklists[worker->search->level.turn ^ 1]);
    enter_level(worker);
}

/* Goes on to the end of the next worker's part; false after the last one of the others. */
static bool go_to_next(struct search_worker *worker)
{
    struct search *search = worker->search;
    unsigned next = (worker->other + 1) % search->nworkers;
    if (next == worker->index)
        return false;
    worker->other = next;
    worker->rest = search->workers[next].worklists[search->level.turn].n;
    return true;
}

static struct chunk *take_of_others(struct search_worker *worker)
{
    struct search *search = worker->search;
    struct chunk *chunk = NULL;
    do {
        struct worklist *worklist =
            &search->workers[worker->other].worklists[search->level.turn];
        if (worker->other != worker->index)
            chunk = worklist_take_back(worklist, &worker->rest);
    } while (!chunk && go_to_next(worker));
    return chunk;
}

/* Takes a chunk that is left: if there are any, one that the worker found itself, whose objects
 * are near. */
static struct chunk *take_any(struct search_worker *worker)
{
    struct worklist *own = &worker->worklists[worker->search->level.turn];
    struct chunk *chunk = worklist_take_front(own);
    return chunk ? chunk : take_of_others(worker);
}

/* Takes a chunk.  Where chunks are counted, the index says how many were taken before; there is
 * a chunk for each index below n.  All workers write that number. */
static struct chunk *take_chunk(struct search_worker *worker, size_t *index)
{
    struct search_level *level = &worker->search->level;
    *index = 0;
    if (!level->counted)
        return take_any(worker);
    size_t limit = atomic_load_explicit(&level->limit, memory_order_relaxed);
    if (atomic_load_explicit(&level->next, memory_order_relaxed) >= limit)
        return NULL;
    *index = atomic_fetch_add_explicit(&level->next, 1, memory_order_relaxed);
    if (*index >= limit)
        return NULL;
    struct chunk *chunk = take_any(worker);
    assert(chunk);
    return chunk;
}

/* Expands a chunk's states from the last to the first, as the chunks themselves are taken from
 * their queue. So a level is expanded in the order in which it was found, or exactly reversed,
 * and states that follow each other have most of their memory in common. */
static void expand_chunk(struct search_worker *worker, struct chunk *chunk)
{
    if (!(chunk = spill_read(worker->search->spill, chunk, &worker->buffer))) {
        search_stop(worker->search, STOP_LIMIT, CHECK_LIMIT_DISK);
        return;
    }
    while (chunk->n && !search_rests(worker->search)) {
        size_t i = --chunk->n;
        search_expand(worker, &chunk->tasks[i], i);
    }
    if (chunk->n) /* its states may be others', who go on: released when all have ended */
        worker->left = chunk;
    else
        chunk_drop(chunk);
}

/* Returns how many turns are due at the end of a level: one before each chunk and one after
 * all; or if there was no budget for more states, before each chunk that was begun. */
static size_t turns_due(struct search *search)
{
    struct search_level *level = &search->level;
    size_t next = atomic_load_explicit(&level->next, memory_order_relaxed);
    return search_stopped(search) && next < level->n ? next : level->n + 1;
}

static bool pauses(const struct search *search)
{
    return search_rests(search) || checkpoint_is_wanted(search);
}

static void expand_level(struct search_worker *worker)
{
    struct search *search = worker->search;
    struct chunk *chunk;
    size_t index;
    while (!pauses(search) && (chunk = take_chunk(worker, &index))) {
        if (worker->index == 0)
            portfolio_take(search, index + 1);
        expand_chunk(worker, chunk);
    }
    if (worker->index != 0 || checkpoint_is_wanted(search))
        return;
    if (atomic_load_explicit(&search->held, memory_order_relaxed))
        portfolio_alone(search);
    else
        portfolio_take(search, turns_due(search));
}

/* Expands the boot, or reads all that a checkpoint has. */
static void begin(struct search_worker *worker)
{
    struct search *search = worker->search;
    size_t small = store_stats(search->store).small_bytes;
    search->base_bytes = watch_allocated_bytes() - small;
    search->probe.begun = watch_now();
    double start = watch_thread_time();
    if (!search->resumes)
        search_expand(worker, NULL, 0);
    else if (!checkpoint_load(search))
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_MEMORY);
    search->probe.boot = watch_thread_time() - start;
}

/* Goes on in the middle of a level that was loaded, or entered before. */
static void go_on_with_level(struct search_worker *worker)
{
    struct search *search = worker->search;
    if (search->resumes) {
        if (barrier_is_last(&search->barrier))
            barrier_open(&search->barrier);
        enter_level(worker);
        if (search->begun)
            expand_level(worker);
    }
    while (search->saves && checkpoint_meet(worker))
        expand_level(worker);
}

void *search_bfs(void *arg)
{
    struct search_worker *worker = arg;
    struct search *search = worker->search;
    vm_relieve(&search->relief);
    if (worker->index == 0)
        begin(worker);
    go_on_with_level(worker);
    for (;;) {
        end_level(worker);
        if (barrier_is_last(&search->barrier)) {
            next_level(search);
            barrier_open(&search->barrier);
        }
        if (search->level.over)
            break;
        begin_level(worker);
        expand_level(worker);
        while (search->saves && checkpoint_meet(worker))
            expand_level(worker);
    }
    if (worker->index == 0 && search_is_cut_short(search))
        unexplored_sample(search, &search->unexplored);
    vm_give_back(worker->vm);
    if (barrier_is_last(&search->barrier)) /* nobody closes a machine before */
        barrier_open(&search->barrier);
    search_finished(worker);
    return NULL;
}
