/* watch.c - the thread that started a search waits for it, and watches the limits.
 * Workers only poll one word. */
#include <math.h>
#include <time.h>

#include "checker/search/spill.h"
#include "checker/search/usage.h"
#include "search.h"

enum { POLL_NS = 10 * 1000 * 1000 };

/* From three quarters of the limit on, until much of that is free again.  What was freed is
 * kept by the allocator for seconds: near the limit it is given back. */
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

/* From seven eighths of the memory on no more states are found, if the other search may still
 * answer: it hardly needs any. */
static void hold_states(struct search *search, size_t bytes)
{
    size_t max = search->options->max_bytes;
    if (max && !search->spill && bytes >= max / 8 * 7 &&
        atomic_load_explicit(&search->shared, memory_order_relaxed))
        atomic_store_explicit(&search->held, 1, memory_order_relaxed);
}

/* Of the time so far, all that was done until now took it. */
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

/* The search is over when one of the two is. */
static void forecast_time(struct check_progress *progress)
{
    progress->least_left = progress->most_left = HUGE_VAL;
    if (progress->by_states)
        narrow(progress, (double)(progress->states - progress->open), &progress->states_in_all);
    if (progress->by_executions)
        narrow(progress, (double)progress->executions, &progress->executions_in_all);
}

static void check_limits(struct search *search, double start)
{
    const struct check_options *options = search->options;
    struct check_progress progress = search_progress(search);
    progress.seconds = watch_now() - start;
    progress.bytes = spill_by_memory(search, watch_resident_bytes());
    forecast_time(&progress);
    hold_states(search, progress.bytes);
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        search_stop(search, STOP_INTERRUPT, CHECK_LIMIT_NONE);
    else if (options->deadline > 0 && watch_now() >= options->deadline)
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_TIME);
    else if (options->max_bytes && progress.bytes >= options->max_bytes)
        search_stop(search, STOP_LIMIT, spill_memory_limit(search->spill));
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
