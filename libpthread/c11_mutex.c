/* c11_mutex.c - C11's mutexes are POSIX's, with other names for what happens. */
#include "libpthread/internal.h"

static pthread_mutex_t *of(mtx_t *mutex)
{
    return (pthread_mutex_t *)mutex;
}

static int translate(int error)
{
    return error == 0           ? thrd_success
           : error == EBUSY     ? thrd_busy
           : error == ETIMEDOUT ? thrd_timedout
                                : thrd_error;
}

int mtx_init(mtx_t *mutex, int type)
{
    if (type & ~(mtx_recursive | mtx_timed))
        return thrd_error;
    int posix = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    *(struct mutex *)mutex = (struct mutex){.type = posix, .untimed = !(type & mtx_timed)};
    return thrd_success;
}

void mtx_destroy(mtx_t *mutex)
{
    pthread_mutex_destroy(of(mutex));
}

int mtx_lock(mtx_t *mutex)
{
    return translate(pthread_mutex_lock(of(mutex)));
}

int mtx_trylock(mtx_t *mutex)
{
    return translate(pthread_mutex_trylock(of(mutex)));
}

int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return translate(pthread_mutex_timedlock(of(mutex), until));
}

int mtx_unlock(mtx_t *mutex)
{
    return translate(pthread_mutex_unlock(of(mutex)));
}
