/* sched_getscheduler.c - musl's has none, since Linux's is about one thread. */
#include <sched.h>

#include "syscall.h"

int sched_getscheduler(pid_t pid)
{
    return syscall(SYS_sched_getscheduler, pid);
}
