// Asynchronously, a thread is cancelled before or after each of its visible actions.
// Result: correct.
// Outcomes cancelled x: 02 10 11 12.
// -DNEVER=1..4 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0;

THREAD(t0)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    x = 1;
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
    OUTCOME(10 * r0 + x, 2, 10, 11, 12);
    return 0;
}
