// Whether a mutex is had in time is open.  Result: correct.
// Outcomes timed out: 0 1.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r0;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    r0 = pthread_mutex_timedlock(&m, &soon);
    if (r0 == 0)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(r0 == ETIMEDOUT ? 1 : r0, 0, 1);
    return 0;
}
