// The functions with a clock of POSIX.1-2024.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    struct timespec until = {1, 0};
    sem_t sem;
    assert(pthread_mutex_clocklock(&mutex, 99, &until) == EINVAL);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == 0);
    assert(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &until) == ETIMEDOUT);
    assert(pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &until) == ETIMEDOUT);
    assert(pthread_rwlock_clockrdlock(&lock, CLOCK_REALTIME, &until) == 0);
    assert(pthread_rwlock_clockwrlock(&lock, CLOCK_REALTIME, &until) == ETIMEDOUT);
    sem_init(&sem, 0, 1);
    assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &until) == 0);
    assert(sem_clockwait(&sem, CLOCK_MONOTONIC, &until) == -1 && errno == ETIMEDOUT);
    return 0;
}
