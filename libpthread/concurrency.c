/* concurrency.c - a number that is kept. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"

static int level;

int pthread_setconcurrency(int new)
{
    if (new < 0)
        return EINVAL;
    os_enter();
    os_act(VM_ACT_SYSCALL, &level, sizeof level);
    level = new;
    os_leave();
    return 0;
}

int pthread_getconcurrency(void)
{
    os_enter();
    os_act(VM_ACT_SYSCALL, &level, sizeof level);
    int found = level;
    os_leave();
    return found;
}
