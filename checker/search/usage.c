/* usage.c - see usage.h. */
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "checker/search/usage.h"

double watch_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double watch_thread_time(void)
{
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns the most memory that there ever was, where /proc cannot be read. */
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

/* jemalloc's, if the command has it. */
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
