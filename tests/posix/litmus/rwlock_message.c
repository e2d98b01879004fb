// Who reads sees all that was written or nothing.  Result: correct.
// Outcomes r0 r1: 00 11.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, y, r0, r1;

THREAD(t0)
{
    pthread_rwlock_wrlock(&l);
    x = 1;
    y = 1;
    pthread_rwlock_unlock(&l);
    return arg;
}

THREAD(t1)
{
    pthread_rwlock_rdlock(&l);
    r0 = x;
    r1 = y;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 0, 11);
    return 0;
}
