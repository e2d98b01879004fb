// GNU's static initialisers, and its names of kinds.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t errorcheck = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t adaptive = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;

static int locks_twice(int kind)
{
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    assert(pthread_mutexattr_settype(&attributes, kind) == 0);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
    assert(pthread_mutex_lock(&mutex) == 0);
    int result = pthread_mutex_trylock(&mutex);
    if (result == 0)
        pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
    return result;
}

int main(void)
{
    assert(pthread_mutex_lock(&recursive) == 0 && pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == 0 && pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_lock(&errorcheck) == 0 && pthread_mutex_lock(&errorcheck) == EDEADLK);
    assert(pthread_mutex_unlock(&errorcheck) == 0 &&
           pthread_mutex_unlock(&errorcheck) == EPERM);
    assert(pthread_mutex_lock(&adaptive) == 0 && pthread_mutex_unlock(&adaptive) == 0);
    assert(locks_twice(PTHREAD_MUTEX_RECURSIVE_NP) == 0);
    assert(locks_twice(PTHREAD_MUTEX_ERRORCHECK_NP) == EBUSY);
    assert(locks_twice(PTHREAD_MUTEX_ADAPTIVE_NP) == EBUSY);
    assert(locks_twice(PTHREAD_MUTEX_FAST_NP) == EBUSY);
    assert(locks_twice(PTHREAD_MUTEX_TIMED_NP) == EBUSY);
    return 0;
}
