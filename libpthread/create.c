/* create.c - pthread_create.  The new thread runs up to its first visible action before
 * anything else happens, and needs no choice for that. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr,
                   void *(*start)(void *), void *restrict arg)
{
    if (attr)
        attr_check((const struct attr *)attr, __func__);
    bool detached = attr && ((const struct attr *)attr)->detached;
    struct scheduling given = {0};
    if (attr)
        given = scheduling_of((const struct attr *)attr);
    const struct os_thread *self = os_enter();
    os_act(VM_ACT_CREATE | VM_ACT_CONDITIONAL, NULL, 0);
    struct os_thread *made = os_thread_make(__pthread_run, (os_function *)start, arg, detached);
    if (given.is_explicit || self->more)
        __pthread_inherit(made, self->more, given);
    os_leave();
    *thread = (pthread_t)made;
    return 0;
}
