/* kill.c - pthread_kill.  A thread that has ended takes no signals. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/wait.h"
#include <signal.h>

int pthread_kill(pthread_t thread, int signal)
{
    struct os_thread *target = (struct os_thread *)thread;
    if (signal < 0 || signal > 64)
        return EINVAL;
    os_enter();
    os_async();
    os_act(VM_ACT_SIGNAL, target, sizeof *target);
    if (!os_is_known(target))
        misuse(
            "pthread_kill: there is no such thread: it was joined, or detached and has ended");
    if (signal)
        os_signal_send(target, signal);
    os_leave();
    os_signal_take();
    return 0;
}
