// Two that wait for a mutex with a limit and keep it.  Result: correct.
// Outcomes r0 r1: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    r0 = pthread_mutex_timedlock(&m, &soon) == 0;
    return arg;
}

THREAD(t1)
{
    r1 = pthread_mutex_timedlock(&m, &soon) == 0;
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
