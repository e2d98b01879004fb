// Every call that locks a mutex tells that its owner has died, and then that it was lost if
// nobody made it consistent; who is told so the first time holds it.
//
// Result: correct.
// -DWAIT waiting for a condition: correct.
// -DTIMED with a limit: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void make(int type)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_PROTECT);
    pthread_mutexattr_setprioceiling(&attr, 7);
    assert(pthread_mutex_init(&mutex, &attr) == 0);
}

#if defined WAIT || defined TIMED
enum { WAITERS = 2 };
static int waiting, told[WAITERS], lost;

static void *wait_for_it(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    waiting++;
#ifdef TIMED
    struct timespec limit = {1, 0};
    int result = pthread_cond_timedwait(&cond, &mutex, &limit);
#else
    int result = pthread_cond_wait(&cond, &mutex);
#endif
    *(int *)arg = result;
    if (result != ENOTRECOVERABLE)
        pthread_mutex_unlock(&mutex);
    return NULL;
}

static void *die(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    if (waiting < WAITERS) { /* too early */
        pthread_mutex_unlock(&mutex);
        return arg;
    }
    pthread_cond_broadcast(&cond);
    lost = 1;
    return arg;
}

int main(void)
{
    pthread_t thread[WAITERS], other;
    make(PTHREAD_MUTEX_NORMAL);
    for (int k = 0; k < WAITERS; k++)
        pthread_create(&thread[k], NULL, wait_for_it, &told[k]);
    pthread_create(&other, NULL, die, NULL);
    pthread_join(other, NULL);
    if (!lost) {
        pthread_mutex_lock(&mutex);
        pthread_cond_broadcast(&cond);
        while (waiting < WAITERS) {
            pthread_mutex_unlock(&mutex);
            pthread_mutex_lock(&mutex);
        }
        pthread_cond_broadcast(&cond);
        pthread_mutex_unlock(&mutex);
    }
    for (int k = 0; k < WAITERS; k++)
        pthread_join(thread[k], NULL);
#ifdef TIMED
    for (int k = 0; k < WAITERS; k++)
        if (!lost)
            assert(told[k] == 0 || told[k] == ETIMEDOUT);
    if (lost) { /* who was gone by then timed out */
        int dead = (told[0] == EOWNERDEAD) + (told[1] == EOWNERDEAD);
        int gone = (told[0] == ETIMEDOUT) + (told[1] == ETIMEDOUT);
        int after = (told[0] == ENOTRECOVERABLE) + (told[1] == ENOTRECOVERABLE);
        assert(dead + gone + after == WAITERS && dead <= 1 && after <= dead);
    }
#else
    if (lost)
        assert((told[0] == EOWNERDEAD && told[1] == ENOTRECOVERABLE) ||
               (told[1] == EOWNERDEAD && told[0] == ENOTRECOVERABLE));
    else
        assert(told[0] == 0 && told[1] == 0);
#endif
    return 0;
}
#else
enum { LOCK, TRY, TIMED_LOCK, CLOCK_LOCK, CEILING, CALLS };

static int call(int which)
{
    struct timespec limit = {1, 0};
    int old;
    switch (which) {
    case LOCK: return pthread_mutex_lock(&mutex);
    case TRY: return pthread_mutex_trylock(&mutex);
    case TIMED_LOCK: return pthread_mutex_timedlock(&mutex, &limit);
    case CLOCK_LOCK: return pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &limit);
    default: return pthread_mutex_setprioceiling(&mutex, 5, &old);
    }
}

static void *die(void *arg)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    return arg;
}

static void try_all(int type)
{
    for (int which = 0; which < CALLS; which++) {
        pthread_t thread;
        int ceiling;
        make(type);
        pthread_create(&thread, NULL, die, NULL);
        pthread_join(thread, NULL);
        assert(call(which) == EOWNERDEAD);
        assert(pthread_mutex_consistent(&mutex) == 0);
        assert(pthread_mutex_consistent(&mutex) == EINVAL);
        assert(pthread_mutex_unlock(&mutex) == 0);
        assert(pthread_mutex_getprioceiling(&mutex, &ceiling) == 0 && ceiling == 7);
        pthread_create(&thread, NULL, die, NULL);
        pthread_join(thread, NULL);
        assert(call(which) == EOWNERDEAD);
        assert(pthread_mutex_unlock(&mutex) == 0);
        for (int again = 0; again < CALLS; again++)
            assert(call(again) == ENOTRECOVERABLE);
        assert(pthread_mutex_consistent(&mutex) == EINVAL);
        assert(pthread_mutex_destroy(&mutex) == 0);
    }
}

int main(void)
{
    (void)cond;
    try_all(PTHREAD_MUTEX_NORMAL);
    try_all(PTHREAD_MUTEX_RECURSIVE);
    try_all(PTHREAD_MUTEX_ERRORCHECK);
    return 0;
}
#endif
