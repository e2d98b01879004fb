// A request waits until cancelling is enabled again.  Result: correct.
// Outcomes cancelled x: 02 11.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int x, r0;

THREAD(t0)
{
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_testcancel();
    x = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_testcancel();
    x = 2;
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
    OUTCOME(10 * r0 + x, 2, 11);
    return 0;
}
