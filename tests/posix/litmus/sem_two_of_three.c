// Three try for two.  Result: correct.
// Outcomes r0 r1 r2: 011 101 110.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int r0, r1, r2;

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

THREAD(t2)
{
    r2 = sem_trywait(&s) == 0;
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 2);
    run(3, t0, t1, t2);
    OUTCOME(100 * r0 + 10 * r1 + r2, 11, 101, 110);
    return 0;
}
