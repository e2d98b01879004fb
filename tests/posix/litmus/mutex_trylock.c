// Of two that try for a mutex and give it back, at least one has it.  Result: correct.
// Outcomes r0 r1: 01 10 11.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    r0 = pthread_mutex_trylock(&m) == 0;
    if (r0)
        pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    r1 = pthread_mutex_trylock(&m) == 0;
    if (r1)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10, 11);
    return 0;
}
