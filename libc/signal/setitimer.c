/* setitimer.c - musl's, of a kernel whose timer is an alarm: see libc/unistd/alarm.c. */
#include <sys/time.h>

#include "os_error.h"
#include "syscall.h"

int setitimer(int which, const struct itimerval *restrict new, struct itimerval *restrict old)
{
    os_async();
    return syscall(SYS_setitimer, which, new, old);
}
