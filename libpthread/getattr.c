/* getattr.c - attributes of a running thread, and of threads made without any.  Stacks are as
 * large as they need be: sizes are kept and told, no more. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

int pthread_getattr_np(pthread_t thread, pthread_attr_t *attr)
{
    pthread_attr_init(attr);
    struct attr *a = (struct attr *)attr;
    os_see_ends();
    const struct os_thread *target =
        enter_for(thread, "pthread_getattr_np: there is no such thread");
    int detached = target->detached;
    int policy = target->more ? target->more->policy : 0;
    int priority = target->more ? target->more->priority : 0;
    os_leave();
    a->detached = detached;
    a->policy = policy;
    a->priority = priority;
    return 0;
}

static size_t stack_size, guard_size; /* if other than those of pthread_attr_init */

int pthread_setattr_default_np(const pthread_attr_t *attr)
{
    const struct attr *a = (const struct attr *)attr;
    attr_check(a, __func__);
    if (a->stack || a->detached || a->policy || a->priority || a->inherit)
        return EINVAL;
    os_enter();
    os_act(VM_ACT_SYSCALL, &stack_size, sizeof stack_size);
    stack_size = a->stack_size;
    guard_size = a->guard_size;
    os_leave();
    return 0;
}

int pthread_getattr_default_np(pthread_attr_t *attr)
{
    pthread_attr_init(attr);
    struct attr *a = (struct attr *)attr;
    os_enter();
    os_act(VM_ACT_SYSCALL, &stack_size, sizeof stack_size);
    size_t stack = stack_size, guard = guard_size;
    os_leave();
    if (stack) {
        a->stack_size = stack;
        a->guard_size = guard;
    }
    return 0;
}
