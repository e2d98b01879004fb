// Between two writers a reader may come.  Result: correct.
// Outcomes r0: 0 1 2.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x, r0;

THREAD(t0)
{
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return arg;
}

THREAD(t1)
{
    pthread_rwlock_wrlock(&l);
    x++;
    pthread_rwlock_unlock(&l);
    return arg;
}

THREAD(t2)
{
    pthread_rwlock_rdlock(&l);
    r0 = x;
    pthread_rwlock_unlock(&l);
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(r0, 0, 1, 2);
    return 0;
}
