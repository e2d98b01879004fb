// What is held by the caller, by another or by nobody: each call that POSIX has tell so does.
//
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <threads.h>
#include <time.h>

static const struct timespec limit = {1, 0}, bad = {1, 1000000000};
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t normal = PTHREAD_MUTEX_INITIALIZER, checks, robust, ceiling;
static pthread_rwlock_t reading = PTHREAD_RWLOCK_INITIALIZER,
                        writing = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static mtx_t plain;
static cnd_t condition;
static sem_t none;

static void make(pthread_mutex_t *mutex, int type, int is_robust, int protocol)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type);
    pthread_mutexattr_setrobust(&attr, is_robust);
    pthread_mutexattr_setprotocol(&attr, protocol);
    assert(pthread_mutexattr_setprioceiling(&attr, 3) == 0);
    assert(pthread_mutex_init(mutex, &attr) == 0);
    pthread_mutexattr_destroy(&attr);
}

/* The calling thread holds it already, or nobody does. */
static void own(void)
{
    int old;
    assert(pthread_mutex_unlock(&checks) == EPERM);
    assert(pthread_mutex_unlock(&robust) == EPERM);
    assert(pthread_cond_wait(&cond, &checks) == EPERM);
    assert(pthread_cond_wait(&cond, &robust) == EPERM);
    assert(pthread_cond_timedwait(&cond, &checks, &limit) == EPERM);
    assert(pthread_cond_timedwait(&cond, &robust, &limit) == EPERM);
    assert(pthread_cond_clockwait(&cond, &checks, CLOCK_MONOTONIC, &limit) == EPERM);
    pthread_mutex_lock(&checks);
    assert(pthread_mutex_lock(&checks) == EDEADLK);
    assert(pthread_mutex_trylock(&checks) == EBUSY);
    assert(pthread_mutex_timedlock(&checks, &limit) == EDEADLK);
    assert(pthread_mutex_clocklock(&checks, CLOCK_REALTIME, &limit) == EDEADLK);
    pthread_mutex_lock(&ceiling);
    assert(pthread_mutex_setprioceiling(&ceiling, 4, &old) == EDEADLK);
    pthread_mutex_unlock(&ceiling);
    assert(pthread_mutex_setprioceiling(&normal, 4, &old) == EINVAL);
    assert(pthread_mutex_setprioceiling(&ceiling, 100, &old) == EINVAL);
    assert(pthread_cond_timedwait(&cond, &checks, &bad) == EINVAL);
    assert(pthread_cond_clockwait(&cond, &checks, 77, &limit) == EINVAL);
}

/* Another thread holds it. */
static void *other(void *arg)
{
    assert(pthread_mutex_trylock(&normal) == EBUSY);
    assert(pthread_mutex_timedlock(&normal, &limit) == ETIMEDOUT);
    assert(pthread_mutex_timedlock(&normal, &bad) == EINVAL);
    assert(pthread_mutex_clocklock(&normal, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&normal, 77, &limit) == EINVAL);
    assert(pthread_mutex_unlock(&checks) == EPERM);
    assert(pthread_mutex_trylock(&checks) == EBUSY);
    assert(pthread_cond_wait(&cond, &checks) == EPERM);
    assert(pthread_rwlock_trywrlock(&reading) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&reading, &limit) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&reading, &bad) == EINVAL);
    assert(pthread_rwlock_clockwrlock(&reading, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&reading, 77, &limit) == EINVAL);
    assert(pthread_rwlock_tryrdlock(&writing) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&writing, &limit) == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&writing, &bad) == EINVAL);
    assert(pthread_rwlock_clockrdlock(&writing, CLOCK_MONOTONIC, &limit) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&writing, 77, &limit) == EINVAL);
    assert(pthread_spin_trylock(&spin) == EBUSY);
    assert(mtx_trylock(&plain) == thrd_busy);
    assert(mtx_timedlock(&plain, &limit) == thrd_timedout);
    assert(sem_trywait(&none) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&none, &limit) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&none, &bad) == -1 && errno == EINVAL);
    assert(sem_clockwait(&none, CLOCK_MONOTONIC, &limit) == -1 && errno == ETIMEDOUT);
    assert(sem_clockwait(&none, 77, &limit) == -1 && errno == EINVAL);
    return arg;
}

int main(void)
{
    pthread_t thread;
    make(&checks, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_NONE);
    make(&robust, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    make(&ceiling, PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_PROTECT);
    pthread_spin_init(&spin, 0);
    sem_init(&none, 0, 0);
    assert(mtx_init(&plain, mtx_timed) == thrd_success && mtx_init(&plain, 99) == thrd_error);
    own();
    pthread_mutex_lock(&normal);
    pthread_rwlock_rdlock(&reading);
    pthread_rwlock_wrlock(&writing);
    pthread_spin_lock(&spin);
    mtx_lock(&plain);
    cnd_init(&condition);
    assert(cnd_timedwait(&condition, &plain, &limit) == thrd_timedout);
    assert(cnd_timedwait(&condition, &plain, &bad) == thrd_error);
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    return 0;
}
