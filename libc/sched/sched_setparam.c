/* sched_setparam.c - musl's has none, since Linux's is about one thread. */
#include <sched.h>

#include "syscall.h"

int sched_setparam(pid_t pid, const struct sched_param *param)
{
    return syscall(SYS_sched_setparam, pid, param);
}
