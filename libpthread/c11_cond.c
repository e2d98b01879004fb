/* c11_cond.c - C11's condition variables are POSIX's. */
#include "libpthread/internal.h"

static pthread_cond_t *of(cnd_t *cond)
{
    return (pthread_cond_t *)cond;
}

int cnd_init(cnd_t *cond)
{
    *(struct cond *)cond = (struct cond){0};
    return thrd_success;
}

void cnd_destroy(cnd_t *cond)
{
    pthread_cond_destroy(of(cond));
}

int cnd_signal(cnd_t *cond)
{
    pthread_cond_signal(of(cond));
    return thrd_success;
}

int cnd_broadcast(cnd_t *cond)
{
    pthread_cond_broadcast(of(cond));
    return thrd_success;
}

int cnd_wait(cnd_t *cond, mtx_t *mutex)
{
    return pthread_cond_wait(of(cond), (pthread_mutex_t *)mutex) ? thrd_error : thrd_success;
}

int cnd_timedwait(cnd_t *restrict cond, mtx_t *restrict mutex,
                  const struct timespec *restrict until)
{
    int error = pthread_cond_timedwait(of(cond), (pthread_mutex_t *)mutex, until);
    return error == 0 ? thrd_success : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
