// Either of two threads may be the serial one.  Result: correct.
// Outcomes r0 r1: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_barrier_t b;
static int r0, r1;

THREAD(t0)
{
    r0 = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
    return arg;
}

THREAD(t1)
{
    r1 = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 2);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
