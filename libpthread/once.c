/* once.c - pthread_once: 0 not begun, -1 begun, 1 done.  The function runs in user
 * mode; others wait until it is done. */
#include "libpthread/internal.h"

int pthread_once(pthread_once_t *once, void (*function)(void))
{
    os_enter();
    os_wait(VM_ACT_ONCE, once, sizeof *once, once, OS_WHILE_NEGATIVE);
    bool done = *once;
    if (!done)
        *once = -1;
    os_leave();
    if (done)
        return 0;
    function();
    os_enter();
    os_act(VM_ACT_ONCE, once, sizeof *once);
    *once = 1;
    os_leave();
    return 0;
}
