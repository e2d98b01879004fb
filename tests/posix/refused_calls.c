// What the kernel does not have ends the run with an error that names it.
//
// Result: refused.  -DSIGNALFD: refused.  -DSTATFS: refused.
// Expect: timerfd_create
// Expect-SIGNALFD: signalfd
// Expect-STATFS: statfs
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/statfs.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
#ifdef SIGNALFD
    sigset_t set;
    sigemptyset(&set);
    signalfd(-1, &set, 0);
#elif defined(STATFS)
    struct statfs status;
    statfs("/tmp", &status);
#else
    timerfd_create(0, 0);
#endif
    return 0;
}
