// Two mutexes crosswise, the second only tried for.  Result: correct.
// Outcomes r0 r1: 00 01 10 11.
// -DNEVER=1..4 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&a);
    r0 = pthread_mutex_trylock(&b) == 0;
    if (r0)
        pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&b);
    r1 = pthread_mutex_trylock(&a) == 0;
    if (r1)
        pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 0, 1, 10, 11);
    return 0;
}
