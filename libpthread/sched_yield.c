/* sched_yield.c - a chance for the others, which they have anyway. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"
#include <sched.h>

int sched_yield(void)
{
    os_enter();
    os_act(VM_ACT_YIELD, NULL, 0);
    os_leave();
    return 0;
}

int pthread_yield(void)
{
    return sched_yield();
}
