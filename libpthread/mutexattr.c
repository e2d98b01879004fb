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
    attr->__attr = 0;
    return 0;
}

int pthread_mutexattr_settype(pthread_mutexattr_t *attr, int type)
{
    return set(attr, TYPE, type, PTHREAD_MUTEX_ERRORCHECK);
}

int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attr, int *restrict type)
{
    *type = get(attr, TYPE);
    return 0;
}

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attr, int protocol)
{
    return set(attr, PROTOCOL, protocol, PTHREAD_PRIO_PROTECT);
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict attr,
                                  int *restrict protocol)
{
    *protocol = get(attr, PROTOCOL);
    return 0;
}

int pthread_mutexattr_setpshared(pthread_mutexattr_t *attr, int shared)
{
    return set(attr, SHARED, shared, PTHREAD_PROCESS_SHARED);
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict attr, int *restrict shared)
{
    *shared = get(attr, SHARED);
    return 0;
}

int pthread_mutexattr_setrobust(pthread_mutexattr_t *attr, int robust)
{
    return set(attr, ROBUST, robust, PTHREAD_MUTEX_ROBUST);
}

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *restrict attr, int *restrict robust)
{
    *robust = get(attr, ROBUST);
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling)
{
    return ceiling < 1 ? EINVAL : set(attr, CEILING, ceiling, 99);
}

int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict attr,
                                     int *restrict ceiling)
{
    *ceiling = get(attr, CEILING);
    return 0;
}
