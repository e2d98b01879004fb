/* watch.c - the thread that started a search waits for it, and watches the limits.
 * Workers only poll one word. */
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "search.h"

enum { POLL_NS = 10 * 1000 * 1000 };

double watch_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* The most that there ever was, where /proc cannot be read. */
static size_t peak_bytes(void)
{
    struct rusage usage = {0};
    getrusage(RUSAGE_SELF, &usage);
    return (size_t)usage.ru_maxrss * 1024;
}

size_t watch_resident_bytes(void)
{
    char text[64];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    if (n <= 0)
        return peak_bytes();
    text[n] = '\0';
    unsigned long all, resident = 0;
    if (sscanf(text, "%lu %lu", &all, &resident) != 2 || !resident)
        return peak_bytes();
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

/* Of jemalloc, if it is there. */
__attribute__((weak)) int mallctl(const char *name, void *old, size_t *old_size, void *new,
                                  size_t new_size);

size_t watch_allocated_bytes(void)
{
    if (!mallctl)
        return mallinfo2().uordblks;
    uint64_t epoch = 1;
    size_t bytes = 0, size = sizeof bytes;
    mallctl("epoch", NULL, NULL, &epoch, sizeof epoch);
    mallctl("stats.allocated", &bytes, &size, NULL, 0);
    return bytes;
}

void watch_purge(void)
{
    if (mallctl)
        mallctl("arena.4096.purge", NULL, NULL, NULL, 0); /* 4096: all */
    else
        malloc_trim(0);
}

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

enum check_limit watch_memory_limit(const struct search *search)
{
    return spill_memory_limit(search->spill);
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

static void check_limits(struct search *search, double start)
{
    const struct check_options *options = search->options;
    struct check_progress progress = search_progress(search);
    progress.seconds = watch_now() - start;
    progress.bytes = spill_by_memory(search, watch_resident_bytes());
    hold_states(search, progress.bytes);
    if (options->interrupted &&
        atomic_load_explicit(options->interrupted, memory_order_relaxed))
        search_stop(search, STOP_INTERRUPT, CHECK_LIMIT_NONE);
    else if (options->deadline > 0 && watch_now() >= options->deadline)
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_TIME);
    else if (options->max_bytes && progress.bytes >= options->max_bytes)
        search_stop(search, STOP_LIMIT, watch_memory_limit(search));
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
