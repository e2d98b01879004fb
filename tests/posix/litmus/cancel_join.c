// A thread that waits in pthread_join is cancelled, or has joined; then it is not to be
// joined again.  Result: correct.
// Outcomes cancelled joined: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_t u;
static int r0, r1;

THREAD(t0)
{
    r1 = pthread_join(u, NULL) == 0;
    return arg;
}

THREAD(t1)
{
    sched_yield();
    return arg;
}

int main(void)
{
    pthread_create(&u, NULL, t1, NULL);
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, t0, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    r0 = result == PTHREAD_CANCELED;
    if (!r1)
        pthread_join(u, NULL);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
