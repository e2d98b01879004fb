/* ptrace.c - there is nothing to be traced; musl's reads arguments whether they are there or
 * not. */
#include <sys/ptrace.h>

#include "syscall.h"

long ptrace(int req, ...)
{
    return syscall(SYS_ptrace, req);
}
