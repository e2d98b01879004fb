/* name_get.c - pthread_getname_np. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include <string.h>

int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    char all[16] = {0};
    if (size < sizeof all)
        return ERANGE;
    os_see_ends();
    const struct os_thread *target =
        enter_for(thread, "pthread_getname_np: there is no such thread");
    if (target->more)
        memcpy(all, target->more->name, sizeof all);
    os_leave();
    strcpy(name, all);
    return 0;
}
