/* mutexattr.c - attributes of mutexes: the type in bits 0 and 1, the protocol in
 * bits 2 and 3, process-shared in bit 4.  There is one process, and priorities
 * decide nothing, so that only the type has an effect. */
#include "libpthread/internal.h"

enum { TYPE = 0, PROTOCOL = 2, SHARED = 4 };

static int get(const pthread_mutexattr_t *attr, int place)
{
    return attr->__attr >> place & (place == SHARED ? 1 : 3);
}

static int set(pthread_mutexattr_t *attr, int place, int value, int max)
{
    if (value < 0 || value > max)
        return EINVAL;
    attr->__attr = (attr->__attr & ~((place == SHARED ? 1u : 3u) << place)) |
                   (unsigned)value << place;
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
