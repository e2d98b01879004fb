/* detach.c - pthread_detach: a thread that is finished goes at once. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread_end.h"
#include "os/wait.h"

int pthread_detach(pthread_t thread)
{
    struct os_thread *target = (struct os_thread *)thread;
    os_enter();
    os_act(VM_ACT_DETACH, target, sizeof *target);
    if (!os_is_known(target))
        misuse("pthread_detach: there is no such thread: it was joined, or detached and has "
               "ended");
    if (target->detached)
        misuse("pthread_detach: the thread is detached already");
    if (target->joiner)
        misuse("pthread_detach: another thread joins it");
    if (target->running)
        target->detached = 1;
    else
        os_thread_free(target);
    os_leave();
    return 0;
}
