// Trying to join: the thread may not have ended yet, even if it did all it does.
// Result: correct.  -DBUG=1 claims that it has, -DBUG=2 that it has not: assertion
// violation.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#ifndef BUG
#define BUG 0
#endif

static atomic_int done;

static void *work(void *arg)
{
    done = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec until = {1, 0}, bad = {0, -1};
    void *result = NULL;
    pthread_create(&t, NULL, work, &t);
    while (!done)
        ;
    int error = pthread_tryjoin_np(t, &result);
    assert(error == 0 || error == EBUSY);
    assert(error == 0 ? BUG != 2 && result == &t : BUG != 1);
    if (error) {
        error = pthread_timedjoin_np(t, &result, &bad);
        assert(error == 0 || error == EINVAL);
    }
    if (error) {
        error = pthread_timedjoin_np(t, &result, &until);
        assert(error == 0 || error == ETIMEDOUT);
    }
    if (error)
        assert(pthread_join(t, &result) == 0);
    assert(result == &t);
    return 0;
}
