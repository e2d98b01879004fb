// Two threads end with a robust mutex: the second is told.  Result: correct.
// Outcomes r0 r1: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m;
static int r0, r1;

THREAD(t0)
{
    r0 = pthread_mutex_lock(&m) == EOWNERDEAD;
    return arg;
}

THREAD(t1)
{
    r1 = pthread_mutex_lock(&m) == EOWNERDEAD;
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
