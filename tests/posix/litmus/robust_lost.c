// After a thread has ended with a robust mutex, one that does not repair it is told so,
// and it is lost for all who come later.  Result: correct.
// Outcomes r0 r1: 00 01 10 12 21.
// -DNEVER=1..5 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m;
static int r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    return arg;
}

THREAD(t1)
{
    int error = pthread_mutex_lock(&m);
    r0 = error == EOWNERDEAD ? 1 : error == ENOTRECOVERABLE ? 2 : error;
    if (r0 != 2)
        pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t2)
{
    int error = pthread_mutex_lock(&m);
    r1 = error == EOWNERDEAD ? 1 : error == ENOTRECOVERABLE ? 2 : error;
    if (r1 != 2)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &attr);
    run(3, t0, t1, t2);
    OUTCOME(10 * r0 + r1, 0, 1, 10, 12, 21);
    return 0;
}
