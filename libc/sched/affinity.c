/* affinity.c - musl's also has the functions for threads, which are libpthread's. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

#include "syscall.h"

int sched_setaffinity(pid_t tid, size_t size, const cpu_set_t *set)
{
    return syscall(SYS_sched_setaffinity, tid, size, set);
}

int sched_getaffinity(pid_t tid, size_t size, cpu_set_t *set)
{
    long n = __syscall(SYS_sched_getaffinity, tid, size, set);
    if (n < 0)
        return __syscall_ret(n);
    if ((size_t)n < size)
        memset((char *)set + n, 0, size - n);
    return 0;
}
