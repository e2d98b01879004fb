/* attr.c - attributes of threads.  Only the detach state has an effect: stacks
 * are as large as they need be, and the scheduler tries every order, whatever the
 * priorities; the others are checked and kept. */
#include "libpthread/internal.h"
#include <sched.h>

enum { STACK_SIZE = 128 << 10, GUARD_SIZE = 8 << 10 };

static struct attr *of(pthread_attr_t *attr)
{
    return (struct attr *)attr;
}

static const struct attr *of_const(const pthread_attr_t *attr)
{
    return (const struct attr *)attr;
}

static int set(int *field, int value, bool valid)
{
    if (!valid)
        return EINVAL;
    *field = value;
    return 0;
}

int pthread_attr_init(pthread_attr_t *attr)
{
    *of(attr) = (struct attr){.stack_size = STACK_SIZE, .guard_size = GUARD_SIZE};
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *attr)
{
    attr_check((const struct attr *)attr, __func__);
    __pthread_undefine(attr, sizeof *attr);
    return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attr, int state)
{
    attr_check((const struct attr *)attr, __func__);
    return set(&of(attr)->detached, state,
               state == PTHREAD_CREATE_JOINABLE || state == PTHREAD_CREATE_DETACHED);
}

int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *state)
{
    attr_check((const struct attr *)attr, __func__);
    *state = of_const(attr)->detached;
    return 0;
}

int pthread_attr_setstacksize(pthread_attr_t *attr, size_t size)
{
    attr_check((const struct attr *)attr, __func__);
    if (size < PTHREAD_STACK_MIN)
        return EINVAL;
    of(attr)->stack = NULL;
    of(attr)->stack_size = size;
    return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *restrict attr, size_t *restrict size)
{
    attr_check((const struct attr *)attr, __func__);
    *size = of_const(attr)->stack_size;
    return 0;
}

int pthread_attr_setstack(pthread_attr_t *attr, void *stack, size_t size)
{
    attr_check((const struct attr *)attr, __func__);
    if (size < PTHREAD_STACK_MIN)
        return EINVAL;
    of(attr)->stack = stack;
    of(attr)->stack_size = size;
    return 0;
}

int pthread_attr_getstack(const pthread_attr_t *restrict attr, void **restrict stack,
                          size_t *restrict size)
{
    attr_check((const struct attr *)attr, __func__);
    if (!of_const(attr)->stack)
        return EINVAL;
    *stack = of_const(attr)->stack;
    *size = of_const(attr)->stack_size;
    return 0;
}

int pthread_attr_setguardsize(pthread_attr_t *attr, size_t size)
{
    attr_check((const struct attr *)attr, __func__);
    of(attr)->guard_size = size;
    return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *restrict attr, size_t *restrict size)
{
    attr_check((const struct attr *)attr, __func__);
    *size = of_const(attr)->guard_size;
    return 0;
}

int pthread_attr_setscope(pthread_attr_t *attr, int scope)
{
    attr_check((const struct attr *)attr, __func__);
    if (scope == PTHREAD_SCOPE_PROCESS)
        return ENOTSUP;
    return set(&of(attr)->scope, scope, scope == PTHREAD_SCOPE_SYSTEM);
}

int pthread_attr_getscope(const pthread_attr_t *restrict attr, int *restrict scope)
{
    attr_check((const struct attr *)attr, __func__);
    *scope = of_const(attr)->scope;
    return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attr, int policy)
{
    attr_check((const struct attr *)attr, __func__);
    return set(&of(attr)->policy, policy,
               policy == SCHED_OTHER || policy == SCHED_FIFO || policy == SCHED_RR);
}

int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attr, int *restrict policy)
{
    attr_check((const struct attr *)attr, __func__);
    *policy = of_const(attr)->policy;
    return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *restrict attr,
                               const struct sched_param *restrict param)
{
    attr_check((const struct attr *)attr, __func__);
    of(attr)->priority = param->sched_priority;
    return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *restrict attr,
                               struct sched_param *restrict param)
{
    attr_check((const struct attr *)attr, __func__);
    param->sched_priority = of_const(attr)->priority;
    return 0;
}

int pthread_attr_setinheritsched(pthread_attr_t *attr, int inherit)
{
    attr_check((const struct attr *)attr, __func__);
    return set(&of(attr)->inherit, inherit,
               inherit == PTHREAD_INHERIT_SCHED || inherit == PTHREAD_EXPLICIT_SCHED);
}

int pthread_attr_getinheritsched(const pthread_attr_t *restrict attr, int *restrict inherit)
{
    attr_check((const struct attr *)attr, __func__);
    *inherit = of_const(attr)->inherit;
    return 0;
}
