/* name.c - names of threads. */
#include "libpthread/internal.h"
#include <string.h>

static struct os_thread *enter(pthread_t thread, const char *message)
{
    struct os_thread *target = (struct os_thread *)thread;
    os_enter();
    os_act(VM_ACT_SYSCALL, target, sizeof *target);
    if (!os_is_known(target))
        misuse(message);
    return target;
}

int pthread_setname_np(pthread_t thread, const char *name)
{
    char all[16] = {0};
    size_t length = strnlen(name, sizeof all);
    if (length == sizeof all)
        return ERANGE;
    memcpy(all, name, length);
    struct os_thread *target = enter(thread, "pthread_setname_np: there is no such thread");
    if (target->running) {
        memcpy(os_more(target)->name, all, sizeof all);
        os_less(target);
    }
    os_leave();
    return 0;
}

int pthread_getname_np(pthread_t thread, char *name, size_t size)
{
    char all[16] = {0};
    if (size < sizeof all)
        return ERANGE;
    const struct os_thread *target =
        enter(thread, "pthread_getname_np: there is no such thread");
    if (target->more)
        memcpy(all, target->more->name, sizeof all);
    os_leave();
    strcpy(name, all);
    return 0;
}
