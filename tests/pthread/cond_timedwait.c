// A wait with a time limit ends by a signal or by time, and time may pass although
// the condition has come true.  Result: correct.
// -DBUG takes a time-out for the answer: assertion violation.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready;
static bool is_ready;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    is_ready = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_condattr_t attr;
    clockid_t clock;
    struct timespec until, bad = {0, 1000000000};
    int error = 0;
    pthread_condattr_init(&attr);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_MONOTONIC);
    pthread_cond_init(&ready, &attr);
    pthread_condattr_destroy(&attr);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec++;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    assert(pthread_cond_timedwait(&ready, &lock, &bad) == EINVAL);
    while (!is_ready && error == 0)
        error = pthread_cond_timedwait(&ready, &lock, &until);
    assert(error == 0 || error == ETIMEDOUT);
#ifdef BUG
    if (error == ETIMEDOUT)
        assert(!is_ready);
#endif
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(is_ready);
    pthread_cond_destroy(&ready);
    return 0;
}
