/* gettid.c - musl's takes it from its thread structure. */
#define _GNU_SOURCE
#include <unistd.h>

#include "syscall.h"

pid_t gettid(void)
{
    return __syscall(SYS_gettid);
}
