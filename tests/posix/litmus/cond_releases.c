// A wait gives the mutex away: what it protects may change meanwhile.  Result: correct.
// Outcomes r0 r1: 10 11 21.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x, r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_cond_timedwait(&c, &m, &soon);
    r0 = x;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    r1 = x;
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 10, 11, 21);
    return 0;
}
