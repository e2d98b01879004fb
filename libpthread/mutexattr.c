/* mutexattr.c - attributes of mutexes, as fields of bits.  Priorities decide nothing, and
 * memory that processes share is shared with what is in it, so that only type, robustness
 * and ceiling have an effect. */
#include "libpthread/internal.h"

enum { TYPE = 0, PROTOCOL = 2, SHARED = 4, ROBUST = 5, CEILING = 8 }; /* first bits */

static unsigned field(int place)
{
    return (place == CEILING ? 127u : place >= SHARED ? 1u : 3u) << place;
}

static int get(const pthread_mutexattr_t *attr, int place)
{
    return (int)((attr->__attr & field(place)) >> place);
}

static int set(pthread_mutexattr_t *attr, int place, int value, int max)
{
    if (value < 0 || value > max)
        return EINVAL;
    attr->__attr = (attr->__attr & ~field(place)) | (unsigned)value << place;
    return 0;
}

int pthread_mutexattr_init(pthread_mutexattr_t *attr)
{
    attr->__attr = 0;
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *attr)
{
    mutexattr_check(attr, __func__);
    __pthread_undefine(attr, sizeof *attr);
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type)
{
    mutexattr_check(attr, __func__);
    return set(attr, TYPE, type, PTHREAD_MUTEX_ERRORCHECK);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attr, int *restrict type)
{
    mutexattr_check(attr, __func__);
    *type = get(attr, TYPE);
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol)
{
    mutexattr_check(attr, __func__);
    return set(attr, PROTOCOL, protocol, PTHREAD_PRIO_PROTECT);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attr,
                                  int *restrict protocol)
{
    mutexattr_check(attr, __func__);
    *protocol = get(attr, PROTOCOL);
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared)
{
    mutexattr_check(attr, __func__);
    return set(attr, SHARED, shared, PTHREAD_PROCESS_SHARED);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attr, int *restrict shared)
{
    mutexattr_check(attr, __func__);
    *shared = get(attr, SHARED);
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust)
{
    mutexattr_check(attr, __func__);
    return set(attr, ROBUST, robust, PTHREAD_MUTEX_ROBUST);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attr, int *restrict robust)
{
    mutexattr_check(attr, __func__);
    *robust = get(attr, ROBUST);
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling)
{
    mutexattr_check(attr, __func__);
    return ceiling < 1 ? EINVAL : set(attr, CEILING, ceiling, 99);
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attr,
                                     int *restrict ceiling)
{
    mutexattr_check(attr, __func__);
    *ceiling = get(attr, CEILING);
    return 0;
}
