// Between two sections another may come.  Result: correct.
// Outcomes r0 r1: 00 01 02 11 12 22.
// -DNEVER=1..6 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    r0 = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    r1 = x;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 0, 1, 2, 11, 12, 22);
    return 0;
}
