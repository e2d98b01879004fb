// Each thread has its own value.  Result: correct.
// Outcomes r0 r1: 12.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_key_t key;
static int r0, r1;

THREAD(t0)
{
    pthread_setspecific(key, (void *)1);
    sched_yield();
    r0 = (int)(intptr_t)pthread_getspecific(key);
    return arg;
}

THREAD(t1)
{
    pthread_setspecific(key, (void *)2);
    sched_yield();
    r1 = (int)(intptr_t)pthread_getspecific(key);
    return arg;
}

int main(void)
{
    pthread_key_create(&key, NULL);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 12);
    return 0;
}
