// What was done before the barrier is seen after it.  Result: correct.
// Outcomes r0 r1: 11.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_barrier_t b;
static int x, y, r0, r1;

THREAD(t0)
{
    x = 1;
    pthread_barrier_wait(&b);
    r0 = y;
    return arg;
}

THREAD(t1)
{
    y = 1;
    pthread_barrier_wait(&b);
    r1 = x;
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 2);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 11);
    return 0;
}
