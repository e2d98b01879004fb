// A clean-up handler runs if the thread is cancelled within its scope only.  Result:
// correct.
// Outcomes cancelled cleaned: 00 10 11.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int r0, r1;

static void clean(void *arg)
{
    (void)arg;
    r1 = 1;
}

THREAD(t0)
{
    pthread_cleanup_push(clean, NULL);
    pthread_testcancel();
    pthread_cleanup_pop(0);
    pthread_testcancel();
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
    OUTCOME(10 * r0 + r1, 0, 10, 11);
    return 0;
}
