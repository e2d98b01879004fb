/* gettid.c - musl's takes it from its thread structure.  Who has the number can ask whether
 * the thread is there. */
#define _GNU_SOURCE
#include <unistd.h>

#include "os_error.h"
#include "syscall.h"

pid_t gettid(void)
{
    os_see_ends();
    return __syscall(SYS_gettid);
}
