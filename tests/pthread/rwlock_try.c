// What trying returns under a read lock and under a write lock.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock;

int main(void)
{
    pthread_rwlockattr_t attr;
    struct timespec until = {1000000000, 0}, bad = {0, -1};
    assert(pthread_rwlockattr_init(&attr) == 0);
    assert(pthread_rwlock_init(&lock, &attr) == 0);
    assert(pthread_rwlockattr_destroy(&attr) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&lock, &bad) == EINVAL);
    for (int k = 0; k < 3; k++)
        assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
