// Two try for the one of a semaphore.  Result: correct.
// Outcomes r0 r1: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int r0, r1;

THREAD(t0)
{
    r0 = sem_trywait(&s) == 0;
    return arg;
}

THREAD(t1)
{
    r1 = sem_trywait(&s) == 0;
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
