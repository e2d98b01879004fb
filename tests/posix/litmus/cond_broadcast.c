// A broadcast ends the waits of those who wait.  Result: correct.
// Outcomes r0 r1: 00 01 10 11.
// -DNEVER=1..4 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    r0 = pthread_cond_timedwait(&c, &m, &soon) == 0;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    r1 = pthread_cond_timedwait(&c, &m, &soon) == 0;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t2)
{
    pthread_cond_broadcast(&c);
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(10 * r0 + r1, 0, 1, 10, 11);
    return 0;
}
