/* watch.c - the thread that started a search waits for it, and watches the limits.  Workers
 * only poll one word. */
#include <math.h>
#include <time.h>

#include "checker/search/checkpoint.h"
#include "checker/search/spill.h"
#include "checker/search/usage.h"
#include "search.h"

enum { POLL_NS = 10 * 1000 * 1000 };

/* Spills open states from three quarters of the memory limit on, until much of that is free
 * again.  What was freed is kept by the allocator for seconds: near the limit it is given
 * back. */
static size_t spill_by_memory(struct search *search, size_t bytes)
{
    size_t max = search->options->max_bytes;
    if (!search->spill || !max)
        return bytes;
    if (bytes < max / 8 * 5)
        atomic_store_explicit(&search->spill->on, false, memory_order_relaxed);
    else if (bytes >= max / 4 * 3)
        atomic_store_explicit(&search->spill->on, true, memory_order_relaxed);
    if (bytes < max / 16 * 15)
        return bytes;
    watch_purge();
    return watch_resident_bytes();
}

/* Holds the search by states, from seven eighths of the memory on, if the other search may
 * still answer: it hardly needs any memory. */
static void hold_states(struct search *search, size_t bytes)
{
    size_t max = search->options->max_bytes;
    if (max && !search->spill && bytes >= max / 8 * 7 &&
        atomic_load_explicit(&search->shared, memory_order_relaxed))
        atomic_store_explicit(&search->held, 1, memory_order_relaxed);
}

/* Narrows a forecast of the time: all that was done so far took the time so far. */
static void narrow(struct check_progress *progress, double done,
                   const struct check_forecast *all)
{
    if (!all->all || done < 1)
        return;
    progress->least_left =
        fmin(progress->least_left, progress->seconds * (fmax(all->least / done, 1) - 1));
    progress->most_left =
        fmin(progress->most_left, progress->seconds * (fmax(all->most / done, 1) - 1));
}

void watch_forecast(struct check_progress *progress)
{
    progress->least_left = progress->most_left = HUGE_VAL;
    if (progress->by_states)
        narrow(progress, (double)(progress->states - progress->open), &progress->states_in_all);
    if (progress->by_executions)
        narrow(progress, (double)progress->executions, &progress->executions_in_all);
}

/* Returns why the search has to end, if it has to. */
static enum search_stop reason(const struct search *search, size_t bytes,
                               enum check_limit *limit)
{
    const struct check_options *options = search->options;
    *limit = CHECK_LIMIT_NONE;
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        return STOP_INTERRUPT;
    if (options->deadline > 0 && watch_now() >= options->deadline)
        *limit = CHECK_LIMIT_TIME;
    else if (options->max_bytes && bytes >= options->max_bytes)
        *limit = spill_memory_limit(search->spill);
    return *limit == CHECK_LIMIT_NONE ? STOP_NONE : STOP_LIMIT;
}

/* Stops the search.  With a checkpoint it ends a little later, and begins to do so a little
 * before memory is used up.  Where states are held, the other search has to end first. */
static void stop_or_save(struct search *search, enum search_stop stop, enum check_limit limit,
                         size_t bytes)
{
    enum { MUCH = 16 };
    size_t max = search->options->max_bytes;
    bool over = max && bytes >= max;
    bool held = atomic_load_explicit(&search->held, memory_order_relaxed);
    if (stop == STOP_NONE && !held && max && bytes >= max - max / MUCH) {
        stop = STOP_LIMIT;
        limit = spill_memory_limit(search->spill);
    }
    if (stop != STOP_NONE)
        checkpoint_ask(search, stop, limit);
    else if (checkpoint_is_due(search, watch_now()))
        checkpoint_ask(search, STOP_NONE, CHECK_LIMIT_NONE);
    if (stop != STOP_NONE && held)
        atomic_store_explicit(&search->at_once, 1, memory_order_release);
    if (stop != STOP_NONE && (over || checkpoint_is_late(search, watch_now())))
        search_stop(search, stop, limit);
}

static void check_limits(struct search *search, double start)
{
    const struct check_options *options = search->options;
    struct check_progress progress = search_progress(search);
    enum check_limit limit;
    progress.seconds = watch_now() - start;
    progress.bytes = spill_by_memory(search, watch_resident_bytes());
    watch_forecast(&progress);
    hold_states(search, progress.bytes);
    enum search_stop stop = reason(search, progress.bytes, &limit);
    if (search->saves)
        stop_or_save(search, stop, limit, progress.bytes);
    else if (stop != STOP_NONE)
        search_stop(search, stop, limit);
    if (options->watch)
        options->watch(options->watch_context, &progress);
}

void watch_search(struct search *search, double start)
{
    struct timespec wake;
    clock_gettime(CLOCK_MONOTONIC, &wake);
    pthread_mutex_lock(&search->lock);
    while (search->running) {
        wake.tv_nsec += POLL_NS;
        if (wake.tv_nsec >= 1000000000) {
            wake.tv_nsec -= 1000000000;
            wake.tv_sec++;
        }
        if (pthread_cond_timedwait(&search->done, &search->lock, &wake) == 0)
            continue;
        pthread_mutex_unlock(&search->lock);
        check_limits(search, start);
        pthread_mutex_lock(&search->lock);
    }
    pthread_mutex_unlock(&search->lock);
}
