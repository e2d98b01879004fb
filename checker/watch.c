/* watch.c - the thread that started a search waits for it, and watches the limits.
 * Workers only poll one word. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

size_t watch_resident_bytes(void)
{
    char text[64];
    int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n <= 0)
        return 0;
    text[n] = '\0';
    unsigned long all, resident = 0;
    if (sscanf(text, "%lu %lu", &all, &resident) != 2)
        return 0;
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static void check_limits(struct search *search, double start)
{
    const struct check_options *options = search->options;
    struct check_progress progress = search_progress(search);
    progress.seconds = watch_now() - start;
    progress.bytes = watch_resident_bytes();
    if (options->interrupted && *options->interrupted)
        search_stop(search, STOP_INTERRUPT, CHECK_LIMIT_NONE);
    else if (options->max_seconds > 0 && progress.seconds >= options->max_seconds)
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_TIME);
    else if (options->max_bytes && progress.bytes >= options->max_bytes)
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_MEMORY);
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
