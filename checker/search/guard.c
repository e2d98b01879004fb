/* guard.c - see guard.h. */
#include "guard.h"
#include "checker/search/usage.h"

#include <math.h>
#include <time.h>

enum { POLL_NS = 10 * 1000 * 1000 };

double guard_last_deadline(const struct check_options *options)
{
    static const double longer = 0.4; /* seconds */
    return options->deadline > 0 ? fmax(options->deadline, watch_now()) + longer : 0;
}

static void halt(struct guard *guard, enum check_limit limit)
{
    atomic_store_explicit(&guard->limit, (int)limit, memory_order_relaxed);
    atomic_store_explicit(&guard->halt, 1, memory_order_release);
}

static void check_limits(struct guard *guard)
{
    const struct check_options *options = guard->options;
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        halt(guard, CHECK_LIMIT_NONE);
    else if (guard->deadline > 0 && watch_now() >= guard->deadline)
        halt(guard, CHECK_LIMIT_TIME);
    else if (options->max_bytes && watch_resident_bytes() >= options->max_bytes)
        halt(guard, CHECK_LIMIT_MEMORY);
}

static void *watch(void *arg)
{
    struct guard *guard = arg;
    struct timespec wake;
    pthread_mutex_lock(&guard->lock);
    while (!guard->ended && !atomic_load_explicit(&guard->halt, memory_order_relaxed)) {
        check_limits(guard);
        clock_gettime(CLOCK_REALTIME, &wake);
        wake.tv_nsec += POLL_NS;
        if (wake.tv_nsec >= 1000000000) {
            wake.tv_nsec -= 1000000000;
            wake.tv_sec++;
        }
        pthread_cond_timedwait(&guard->over, &guard->lock, &wake);
    }
    pthread_mutex_unlock(&guard->lock);
    return NULL;
}

void guard_begin(struct guard *guard, const struct check_options *options, double deadline)
{
    *guard = (struct guard){.options = options, .deadline = deadline};
    vm_was_refused(); /* what was refused before does not count */
    pthread_mutex_init(&guard->lock, NULL);
    pthread_cond_init(&guard->over, NULL);
    guard->running = pthread_create(&guard->thread, NULL, watch, guard) == 0;
}

void guard_end(struct guard *guard)
{
    if (guard->running) {
        pthread_mutex_lock(&guard->lock);
        guard->ended = true;
        pthread_cond_signal(&guard->over);
        pthread_mutex_unlock(&guard->lock);
        pthread_join(guard->thread, NULL);
    }
    pthread_mutex_destroy(&guard->lock);
    pthread_cond_destroy(&guard->over);
}

bool guard_halted(struct guard *guard, enum check_limit *limit)
{
    *limit = (enum check_limit)atomic_load_explicit(&guard->limit, memory_order_relaxed);
    return atomic_load_explicit(&guard->halt, memory_order_acquire);
}
