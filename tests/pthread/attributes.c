// Attributes and other numbers that are kept, and refused where POSIX says so.
// Result: correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

static void nothing(void)
{
}

static void shared(void)
{
    pthread_mutexattr_t mutex;
    pthread_condattr_t cond;
    pthread_rwlockattr_t rwlock;
    pthread_barrierattr_t barrier;
    pthread_barrier_t b;
    int value;
    pthread_mutexattr_init(&mutex);
    assert(pthread_mutexattr_setpshared(&mutex, 2) == EINVAL);
    assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_mutexattr_getpshared(&mutex, &value) == 0 &&
           value == PTHREAD_PROCESS_SHARED);
    assert(pthread_mutexattr_setprotocol(&mutex, 3) == EINVAL);
    assert(pthread_mutexattr_setprotocol(&mutex, PTHREAD_PRIO_INHERIT) == 0);
    assert(pthread_mutexattr_getprotocol(&mutex, &value) == 0 && value == PTHREAD_PRIO_INHERIT);
    assert(pthread_mutexattr_destroy(&mutex) == 0);
    pthread_condattr_init(&cond);
    assert(pthread_condattr_setpshared(&cond, 2) == EINVAL);
    assert(pthread_condattr_setpshared(&cond, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_condattr_getpshared(&cond, &value) == 0 && value == PTHREAD_PROCESS_SHARED);
    assert(pthread_condattr_destroy(&cond) == 0);
    pthread_rwlockattr_init(&rwlock);
    assert(pthread_rwlockattr_setpshared(&rwlock, 2) == EINVAL);
    assert(pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_rwlockattr_getpshared(&rwlock, &value) == 0 &&
           value == PTHREAD_PROCESS_SHARED);
    assert(pthread_rwlockattr_destroy(&rwlock) == 0);
    pthread_barrierattr_init(&barrier);
    assert(pthread_barrierattr_setpshared(&barrier, 2) == EINVAL);
    assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED) == 0);
    assert(pthread_barrierattr_getpshared(&barrier, &value) == 0);
    assert(pthread_barrier_init(&b, &barrier, 0) == EINVAL);
    assert(pthread_barrierattr_destroy(&barrier) == 0);
}

int main(void)
{
    pthread_attr_t attr;
    cpu_set_t set;
    size_t size;
    shared();
    assert(pthread_getattr_default_np(&attr) == 0);
    assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0);
    assert(pthread_setattr_default_np(&attr) == 0);
    assert(pthread_getattr_default_np(&attr) == 0);
    assert(pthread_attr_getstacksize(&attr, &size) == 0 && size == 1 << 20);
    assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 &&
           CPU_COUNT(&set) == 2);
    assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
    assert(pthread_atfork(nothing, nothing, nothing) == 0);
    return 0;
}
