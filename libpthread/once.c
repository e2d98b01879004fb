/* once.c - pthread_once: 0 not begun, -1 begun, 1 done.  The function runs in user
 * mode; others wait until it is done.  If it is cancelled, nothing has begun. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"

static void set(pthread_once_t *once, int value)
{
    os_enter();
    os_act(VM_ACT_ONCE, once, sizeof *once);
    *once = value;
    os_leave();
}

static void forget(void *once)
{
    set(once, 0);
}

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    os_enter();
    if (*once < -1 || *once > 1)
        __pthread_not_a(__func__, "pthread_once_t");
    os_wait(VM_ACT_ONCE, once, sizeof *once, once, OS_WHILE_NEGATIVE);
    bool done = *once;
    if (!done)
        *once = -1;
    os_leave();
    if (done)
        return 0;
    struct __ptcb handler;
    if (__pthread_cancellable)
        _pthread_cleanup_push(&handler, forget, once);
    function();
    set(once, 1);
    if (__pthread_cancellable)
        _pthread_cleanup_pop(&handler, 0);
    return 0;
}
