/* sched_setscheduler.c - musl's has none, since Linux's is about one thread. */
#include <sched.h>

#include "syscall.h"

int sched_setscheduler(pid_t pid, int policy, const struct sched_param *param)
{
    return syscall(SYS_sched_setscheduler, pid, policy, param);
}
