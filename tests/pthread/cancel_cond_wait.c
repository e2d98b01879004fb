// A thread that is cancelled in pthread_cond_wait holds the mutex in its clean-up
// handlers.  Result: correct.  -DBUG has none, and the mutex stays locked: deadlock.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
#ifndef BUG
    pthread_cleanup_push(unlock, &lock);
#endif
    for (;;)
        pthread_cond_wait(&ready, &lock);
#ifndef BUG
    pthread_cleanup_pop(0);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    assert(pthread_mutex_lock(&lock) == 0);
    (void)unlock;
    pthread_mutex_unlock(&lock);
    return 0;
}
