/* join.c - pthread_join.
 *
 * Joining a finished thread commutes with all that others do, so it stops only to
 * show an open footprint (a weak action).  Who has to wait is then woken by the
 * end of the thread, and goes on before anyone else. */
#include "libpthread/internal.h"

static void check(const struct os_thread *target, const struct os_thread *self)
{
    if (!os_is_thread(target))
        misuse("pthread_join: there is no such thread: it was joined, or detached and has ended");
    if (target == self)
        misuse("pthread_join: the thread joins itself");
    if (target->detached)
        misuse("pthread_join: the thread is detached");
    if (target->joiner && target->joiner != self)
        misuse("pthread_join: another thread joins it already");
}

int pthread_join(pthread_t thread, void **result)
{
    struct os_thread *self = os_enter(), *target = (struct os_thread *)thread;
    check(target, self);
    os_act(VM_ACT_JOIN | VM_ACT_WEAK, target, sizeof *target);
    check(target, self);
    if (target->running) {
        target->joiner = self;
        os_wait(VM_ACT_JOIN, target, sizeof *target, &target->running, OS_WHILE_NONZERO);
    }
    void *value = target->result;
    os_thread_free(target);
    os_leave();
    if (result)
        *result = value;
    return 0;
}
