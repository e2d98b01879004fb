/* cpuclock.c - the clock of a thread's processor time stands still, as all do. */
#include "libpthread/internal.h"

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock)
{
    (void)thread;
    *clock = CLOCK_THREAD_CPUTIME_ID;
    return 0;
}
