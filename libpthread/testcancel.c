/* testcancel.c - pthread_testcancel: nothing where no thread can be cancelled. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

void pthread_testcancel(void)
{
    if (!__pthread_cancellable)
        return;
    struct os_thread *self = os_enter();
    os_act(VM_ACT_CANCEL, self, sizeof *self);
    if (os_is_cancelled(self))
        __os_cancelled();
    os_leave();
}
