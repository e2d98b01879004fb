/* c11_thread.c - C11's threads are POSIX's, but end with an int. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"
#include <sched.h>

static void run(os_function *start, void *arg)
{
    thrd_exit(((thrd_start_t)start)(arg));
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
    const struct os_thread *self = os_enter();
    os_act(VM_ACT_CREATE | VM_ACT_CONDITIONAL, NULL, 0);
    struct os_thread *made = os_thread_make(run, (os_function *)start, arg, false);
    if (self->more)
        __pthread_inherit(made, self->more, (struct scheduling){0});
    os_leave();
    *thread = (thrd_t)made;
    return thrd_success;
}

_Noreturn void thrd_exit(int result)
{
    pthread_exit((void *)(intptr_t)result);
}

int thrd_join(thrd_t thread, int *result)
{
    void *value;
    pthread_join(thread, result ? &value : NULL);
    if (result)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

int thrd_detach(thrd_t thread)
{
    pthread_detach(thread);
    return thrd_success;
}

thrd_t thrd_current(void)
{
    return (thrd_t)os_self();
}

int(thrd_equal)(thrd_t a, thrd_t b)
{
    return a == b;
}

void thrd_yield(void)
{
    sched_yield();
}

int thrd_sleep(const struct timespec *time, struct timespec *left)
{
    int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}
