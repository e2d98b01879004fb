/* affinity.c - processors of threads: a thread runs on any, whatever is asked for. */
#include "libpthread/internal.h"

int pthread_setaffinity_np(pthread_t thread, size_t size, const struct cpu_set_t *set)
{
    (void)thread;
    return sched_setaffinity(0, size, set) ? errno : 0;
}

int pthread_getaffinity_np(pthread_t thread, size_t size, struct cpu_set_t *set)
{
    (void)thread;
    return sched_getaffinity(0, size, set) ? errno : 0;
}
