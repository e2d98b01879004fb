// What the functions of a semaphore return.  Result: correct.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <time.h>

int main(void)
{
    sem_t sem;
    int value;
    struct timespec until = {1000000000, 0}, bad = {0, -1};
    assert(sem_init(&sem, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&sem, 0, 1) == 0);
    assert(sem_trywait(&sem) == 0);
    errno = 0;
    assert(sem_trywait(&sem) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&sem, &until) == -1 && errno == ETIMEDOUT);
    assert(sem_timedwait(&sem, &bad) == -1 && errno == EINVAL);
    assert(sem_post(&sem) == 0);
    assert(sem_getvalue(&sem, &value) == 0 && value == 1);
    assert(sem_timedwait(&sem, &until) == 0);
    assert(sem_destroy(&sem) == 0);
    assert(sem_init(&sem, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&sem) == -1 && errno == EOVERFLOW);
    assert(sem_destroy(&sem) == 0);
    return 0;
}
