// The value of a semaphore that is taken and given back, and given once more.  Result:
// correct.
// Outcomes r0: 0 1 2.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int r0;

THREAD(t0)
{
    sem_wait(&s);
    sem_post(&s);
    sem_post(&s);
    return arg;
}

THREAD(t1)
{
    sem_getvalue(&s, &r0);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    run(2, t0, t1);
    OUTCOME(r0, 0, 1, 2);
    return 0;
}
