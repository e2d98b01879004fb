// What the kernel does not have ends the run with an error that names it.
//
// Result: refused.  -DSIGNALFD: refused.  -DMKFIFO: refused.
// Expect: timerfd_create
// Expect-SIGNALFD: signalfd
// Expect-MKFIFO: mknod
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

int main(void)
{
#ifdef SIGNALFD
    sigset_t set;
    sigemptyset(&set);
    signalfd(-1, &set, 0);
#elif defined(MKFIFO)
    mkfifo("/tmp/fifo", 0600);
#else
    timerfd_create(0, 0);
#endif
    return 0;
}
