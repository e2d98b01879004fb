/* cond_waits.h - two threads that wait for a condition with a limit; r0 and r1: was it not
 * the limit that ended the wait?  A third does the waking. */
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int r0, r1;

static int is_woken(void)
{
    pthread_mutex_lock(&m);
    int woken = pthread_cond_timedwait(&c, &m, &soon) == 0;
    pthread_mutex_unlock(&m);
    return woken;
}

THREAD(t0)
{
    r0 = is_woken();
    return arg;
}

THREAD(t1)
{
    r1 = is_woken();
    return arg;
}
