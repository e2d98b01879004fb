/* raise.c - musl's takes the thread's number from its thread structure. */
#include <signal.h>

#include "syscall.h"

int raise(int sig)
{
    return syscall(SYS_tkill, __syscall(SYS_gettid), sig);
}
