// A thread ends with a robust mutex: the other comes before, or is told.  Result:
// correct.
// Outcomes told: 0 1.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m;
static int r0;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    return arg;
}

THREAD(t1)
{
    r0 = pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    run(2, t0, t1);
    OUTCOME(r0 == EOWNERDEAD ? 1 : r0, 0, 1);
    return 0;
}
