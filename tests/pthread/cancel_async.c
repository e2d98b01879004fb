// Asynchronously, a thread is cancelled between any two of its visible actions, or
// not at all.  Result: correct.
// -DBUG=1..4 claims that it does not stop at one of these places: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef BUG
#define BUG 0
#endif

static atomic_int steps;

static void *work(void *arg)
{
    int old;
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    steps = 1;
    steps = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    if (result != PTHREAD_CANCELED)
        assert(steps == 2 && BUG != 1);
    else
        assert(steps + 2 != BUG);
    return 0;
}
