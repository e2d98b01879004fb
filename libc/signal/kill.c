/* kill.c - as musl's; where it is linked, a thread can be interrupted anywhere. */
#include <signal.h>

#include "os_error.h"
#include "syscall.h"

int kill(pid_t pid, int sig)
{
    os_async();
    return syscall(SYS_kill, pid, sig);
}
