// Any of three threads may be the serial one.  Result: correct.
// Outcomes r0 r1 r2: 001 010 100.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_barrier_t b;
static int r0, r1, r2;

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

THREAD(t2)
{
    r2 = pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 3);
    run(3, t0, t1, t2);
    OUTCOME(100 * r0 + 10 * r1 + r2, 1, 10, 100);
    return 0;
}
