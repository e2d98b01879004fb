// Robust mutexes of each type: locking again, unlocking another's.  Result: correct.
// -DBUG locks a normal one again: deadlock.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t normal, recursive, errorcheck;

static void init(pthread_mutex_t *mutex, int type)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutex_init(mutex, &attr);
}

static void *work(void *arg)
{
    assert(pthread_mutex_unlock(&normal) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    return arg;
}

int main(void)
{
    pthread_t t;
    init(&normal, PTHREAD_MUTEX_NORMAL);
    init(&recursive, PTHREAD_MUTEX_RECURSIVE);
    init(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_lock(&normal) == 0);
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&errorcheck) == 0);
    assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
#ifdef BUG
    pthread_mutex_lock(&normal);
#endif
    assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&normal) == 0 && pthread_mutex_unlock(&errorcheck) == 0);
    return 0;
}
