/* rwlockattr.c - attributes of read-write locks: kept, without effect: a lock in
 * memory that processes share is theirs. */
#include "libpthread/internal.h"

int pthread_rwlockattr_init(pthread_rwlockattr_t *attr)
{
    *attr = (pthread_rwlockattr_t){0};
    return 0;
}

int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attr)
{
    rwlockattr_check(attr, __func__);
    __pthread_undefine(attr, sizeof *attr);
    return 0;
}

int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attr, int shared)
{
    rwlockattr_check(attr, __func__);
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED)
        return EINVAL;
    attr->__attr[0] = (unsigned)shared;
    return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict attr,
                                  int *restrict shared)
{
    rwlockattr_check(attr, __func__);
    *shared = (int)attr->__attr[0];
    return 0;
}
