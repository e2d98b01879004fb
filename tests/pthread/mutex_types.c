// What each type of mutex returns to the thread that holds it, and to others.
// Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t normal, recursive, errorcheck;

static void init(pthread_mutex_t *mutex, int type)
{
    pthread_mutexattr_t attr;
    int kept;
    assert(pthread_mutexattr_init(&attr) == 0);
    assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_settype(&attr, type) == 0);
    assert(pthread_mutexattr_gettype(&attr, &kept) == 0 && kept == type);
    assert(pthread_mutex_init(mutex, &attr) == 0);
    assert(pthread_mutexattr_destroy(&attr) == 0);
}

static void *other(void *arg)
{
    (void)arg;
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_trylock(&recursive) == EBUSY);
    assert(pthread_mutex_trylock(&errorcheck) == EBUSY);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    return NULL;
}

int main(void)
{
    pthread_t t;
    init(&normal, PTHREAD_MUTEX_NORMAL);
    init(&recursive, PTHREAD_MUTEX_RECURSIVE);
    init(&errorcheck, PTHREAD_MUTEX_ERRORCHECK);
    assert(pthread_mutex_lock(&normal) == 0);
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_lock(&errorcheck) == 0);
    assert(pthread_mutex_lock(&errorcheck) == EDEADLK);
    assert(pthread_mutex_trylock(&errorcheck) == EBUSY);
    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL);
    assert(pthread_mutex_unlock(&normal) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    assert(pthread_mutex_unlock(&errorcheck) == 0);
    assert(pthread_mutex_unlock(&errorcheck) == EPERM);
    assert(pthread_mutex_destroy(&normal) == 0);
    assert(pthread_mutex_destroy(&recursive) == 0);
    assert(pthread_mutex_destroy(&errorcheck) == 0);
    return 0;
}
