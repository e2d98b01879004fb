// The time limit passes, or does not: both happen.  Result: correct.
// -DBUG believes that a minute is enough: assertion violation.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *arg)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 60;
    int error = pthread_mutex_timedlock(&lock, &until);
#ifdef BUG
    assert(error == 0);
#endif
    assert(error == 0 || error == ETIMEDOUT);
    if (error == 0) {
        count++;
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    struct timespec bad = {0, -1};
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    count++;
    assert(pthread_mutex_timedlock(&lock, &bad) == EINVAL);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    assert(count == 1 || count == 2);
    return 0;
}
