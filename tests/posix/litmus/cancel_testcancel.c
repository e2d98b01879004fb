// A thread with two cancellation points, in which it was cancelled or not.  Result:
// correct.
// Outcomes cancelled x: 03 11 12.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int x, r0;

THREAD(t0)
{
    x = 1;
    pthread_testcancel();
    x = 2;
    pthread_testcancel();
    x = 3;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, t0, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    r0 = result == PTHREAD_CANCELED;
    OUTCOME(10 * r0 + x, 3, 11, 12);
    return 0;
}
