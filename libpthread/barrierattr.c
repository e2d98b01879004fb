/* barrierattr.c - attributes of barriers: kept, without effect: a barrier in
 * memory that processes share is theirs. */
#include "libpthread/internal.h"

int pthread_barrierattr_init(pthread_barrierattr_t *attr)
{
    *attr = (pthread_barrierattr_t){0};
    return 0;
}

int pthread_barrierattr_destroy(pthread_barrierattr_t *attr)
{
    barrierattr_check(attr, __func__);
    __pthread_undefine(attr, sizeof *attr);
    return 0;
}

int pthread_barrierattr_setpshared(pthread_barrierattr_t *attr, int shared)
{
    barrierattr_check(attr, __func__);
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    attr->__attr = (unsigned)shared;
    return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attr,
                                   int *restrict shared)
{
    barrierattr_check(attr, __func__);
    *shared = (int)attr->__attr;
    return 0;
}
