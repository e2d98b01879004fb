/* sched_getparam.c - musl's has none, since Linux's is about one thread. */
#include <sched.h>

#include "syscall.h"

int sched_getparam(pid_t pid, struct sched_param *param)
{
    return syscall(SYS_sched_getparam, pid, param);
}
