/* cond_init.c - making and destroying condition variables. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/wait.h"

int pthread_cond_init(pthread_cond_t *restrict cond, const pthread_condattr_t *restrict attr)
{
    struct cond made = {0};
    if (attr) {
        condattr_check(attr, __func__);
        pthread_condattr_getclock(attr, &made.clock);
    }
    *(struct cond *)cond = made;
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *cond)
{
    struct cond *c = (struct cond *)cond;
    os_enter();
    os_act(VM_ACT_DESTROY, c, sizeof *c);
    cond_check(c, __func__);
    if (c->state == DESTROYED)
        misuse("pthread_cond_destroy: the condition variable is destroyed already");
    if (os_queued(c, 0))
        misuse("pthread_cond_destroy: a thread waits on the condition variable");
    c->state = DESTROYED;
    os_leave();
    return 0;
}
