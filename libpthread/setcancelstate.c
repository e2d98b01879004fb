/* setcancelstate.c - a thread's answer to requests to cancel it.  Only pthread_cancel reads it,
 * so that it needs no action where that is not linked. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

static int set(int flag, bool on)
{
    struct os_thread *self = os_enter();
    if (__pthread_cancellable)
        os_act(VM_ACT_CANCEL, self, sizeof *self);
    struct os_more *more = os_more(self);
    int old = (more->cancel & flag) != 0;
    more->cancel = on ? more->cancel | flag : more->cancel & ~flag;
    if (more->cancel == (OS_CANCEL_ASYNCHRONOUS | OS_CANCEL_PENDING))
        __os_cancelled();
    if (__pthread_cancellable)
        os_signal_refresh(self);
    os_less(self);
    os_leave();
    return old;
}

int pthread_setcancelstate(int state, int *old)
{
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    int before = set(OS_CANCEL_DISABLED, state == PTHREAD_CANCEL_DISABLE);
    if (old)
        *old = before;
    return 0;
}

int pthread_setcanceltype(int type, int *old)
{
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    int before = set(OS_CANCEL_ASYNCHRONOUS, type == PTHREAD_CANCEL_ASYNCHRONOUS);
    if (old)
        *old = before;
    return 0;
}
