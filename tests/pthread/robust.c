// A thread ends with a robust mutex: the next one is told, and may repair what the
// mutex protects.  Result: correct.
// -DBUG does not call pthread_mutex_consistent: assertion violation.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *work(void *arg)
{
    int error = pthread_mutex_lock(&lock);
    assert(error == 0 || error == EOWNERDEAD);
    if (error == EOWNERDEAD)
        pthread_mutex_consistent(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutexattr_t attr;
    int value;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_getrobust(&attr, &value) == 0 && value == PTHREAD_MUTEX_STALLED);
    assert(pthread_mutexattr_setrobust(&attr, 2) == EINVAL);
    assert(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST) == 0);
    pthread_mutex_init(&lock, &attr);
    assert(pthread_mutex_consistent(&lock) == EINVAL);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_trylock(&lock) == EOWNERDEAD);
#ifndef BUG
    assert(pthread_mutex_consistent(&lock) == 0);
#endif
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
