/* cancel.c - pthread_cancel, and being cancelled.
 *
 * A request is kept with its thread.  Deferred, it is acted upon at the next
 * cancellation point; a wait there that it ends is made ready (OS_BY_CANCEL), and one that a
 * signal handler has interrupted when that is done.
 * Asynchronous, it makes the thread urgent: it may act upon it instead of any
 * visible action.  Cancelling it between two of them would only be seen by its own
 * clean-up handlers.
 *
 * This file is linked only where the program can cancel threads; elsewhere the
 * cancellation points cost no action. */
#define PTHREAD_CANCEL_C
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

const int __pthread_cancellable = 1;

void __testcancel(void);
void __testcancel_interrupted(void);

_Noreturn void __os_cancelled(void)
{
    struct os_thread *self = os_enter();
    self->more->cancel = OS_CANCEL_DISABLED;
    os_leave_handlers(NULL);
    os_signal_refresh(self);
    os_leave();
    pthread_exit(PTHREAD_CANCELED);
}

static void request(struct os_thread *target)
{
    struct os_more *more = os_more(target);
    more->cancel |= OS_CANCEL_PENDING;
    if (more->cancel & OS_CANCEL_DISABLED)
        return;
    if (target->word && target->wait & OS_BY_CANCEL)
        target->wait |= OS_ALWAYS;
    os_signal_refresh(target);
}

int pthread_cancel(pthread_t thread)
{
    struct os_thread *target = (struct os_thread *)thread, *self = os_enter();
    os_async();
    os_act(VM_ACT_CANCEL, target, sizeof *target);
    os_opaque();
    if (!os_is_known(target))
        misuse("pthread_cancel: there is no such thread: it was joined, or detached and has "
               "ended");
    if (target->running)
        request(target);
    if (target == self && self->more->cancel == (OS_CANCEL_ASYNCHRONOUS | OS_CANCEL_PENDING))
        __os_cancelled();
    os_leave();
    return 0;
}

/* Called by libc's __syscall_cp, before the call and after one that was interrupted. */
void __testcancel(void)
{
    pthread_testcancel();
}

void __testcancel_interrupted(void)
{
    if (os_is_cancelled(os_self()))
        __os_cancelled();
}
