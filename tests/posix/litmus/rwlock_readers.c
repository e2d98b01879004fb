// Two may read at once.  Result: correct.
// Outcomes r0 r1: 11.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    r0 = pthread_rwlock_tryrdlock(&l) == 0;
    return arg;
}

THREAD(t1)
{
    r1 = pthread_rwlock_tryrdlock(&l) == 0;
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 11);
    return 0;
}
