// Three threads, a barrier of two after the first has ended: what was written before is
// seen after it.  Result: correct.
// Outcomes r0 r1: 21.
// -DNEVER=1 claims that it does not occur: assertion violation.
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
    y = 2;
    pthread_barrier_wait(&b);
    r1 = x;
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 2);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 21);
    return 0;
}
