// Whether a lock can be had for reading in time is open.  Result: correct.
// Outcomes r0: 0 1.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int r0;

THREAD(t0)
{
    pthread_rwlock_wrlock(&l);
    pthread_rwlock_unlock(&l);
    return arg;
}

THREAD(t1)
{
    r0 = pthread_rwlock_timedrdlock(&l, &soon) == 0;
    if (r0)
        pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(r0, 0, 1);
    return 0;
}
