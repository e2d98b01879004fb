// Time may be over before the post, or not.  Result: correct.
// Outcomes r0: 0 1.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int r0;

THREAD(t0)
{
    sem_post(&s);
    return arg;
}

THREAD(t1)
{
    r0 = sem_timedwait(&s, &soon) == 0;
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    run(2, t0, t1);
    OUTCOME(r0, 0, 1);
    return 0;
}
