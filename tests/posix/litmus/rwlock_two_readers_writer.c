// Two that try to read and one that tries to write, and all keep it.  Result: correct.
// Outcomes r0 r1 r2: 001 110.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int r0, r1, r2;

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

THREAD(t2)
{
    r2 = pthread_rwlock_trywrlock(&l) == 0;
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(100 * r0 + 10 * r1 + r2, 1, 110);
    return 0;
}
