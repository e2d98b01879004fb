/* condattr.c - attributes of condition variables: the clock in the low bits,
 * process-shared in the highest.  Neither has an effect: a condition variable in
 * memory that processes share is theirs, and a time limit can pass at any moment. */
#include "libpthread/internal.h"

enum { SHARED = 31 };

int pthread_condattr_init(pthread_condattr_t *attr)
{
    attr->__attr = 0;
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *attr)
{
    condattr_check(attr, __func__);
    __pthread_undefine(attr, sizeof *attr);
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock)
{
    condattr_check(attr, __func__);
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    attr->__attr = (attr->__attr & 1u << SHARED) | (unsigned)clock;
    return 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *restrict attr,
                              clockid_t *restrict clock)
{
    condattr_check(attr, __func__);
    *clock = (int)(attr->__attr & ~(1u << SHARED));
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *attr, int shared)
{
    condattr_check(attr, __func__);
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    attr->__attr = (attr->__attr & ~(1u << SHARED)) | (unsigned)shared << SHARED;
    return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *restrict attr, int *restrict shared)
{
    condattr_check(attr, __func__);
    *shared = (int)(attr->__attr >> SHARED);
    return 0;
}
