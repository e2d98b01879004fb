// Four threads pass a barrier of two, in pairs of any two; the last of a pair is told so.
// Result: correct.
// Outcomes r0 r1 r2: 001 010 100 011 101 110.
// -DNEVER=1..6 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_barrier_t b;
static int r0, r1, r2;

static int is_last(void)
{
    return pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD;
}

THREAD(t0)
{
    r0 = is_last();
    return arg;
}

THREAD(t1)
{
    r1 = is_last();
    return arg;
}

THREAD(t2)
{
    r2 = is_last();
    return arg;
}

THREAD(t3)
{
    is_last();
    return arg;
}

int main(void)
{
    pthread_barrier_init(&b, NULL, 2);
    run(4, t0, t1, t2, t3);
    OUTCOME(100 * r0 + 10 * r1 + r2, 1, 10, 100, 11, 101, 110);
    return 0;
}
