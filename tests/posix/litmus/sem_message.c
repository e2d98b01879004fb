// A semaphore orders what comes before the post and after the wait.  Result: correct.
// Outcomes r0: 1.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int x, r0;

THREAD(t0)
{
    x = 1;
    sem_post(&s);
    return arg;
}

THREAD(t1)
{
    sem_wait(&s);
    r0 = x;
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    run(2, t0, t1);
    OUTCOME(r0, 1);
    return 0;
}
