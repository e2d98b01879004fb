/* mutex_unlock.c - unlocking.  What POSIX defines is returned (recursive and
 * errorcheck mutexes know their owner), what it does not is an error. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    struct os_thread *self = os_enter();
    mutex_check_held(m, self, __func__);
    if (m->owner == self && m->count) {
        if (m->count != MUTEX_LISTED) {
            m->count--;
            os_leave();
            return 0;
        }
        __pthread_mutex_unlist(m, self);
    }
    os_act(VM_ACT_UNLOCK, m, sizeof *m);
    if (m->owner != self) {
        if (m->type == DESTROYED)
            misuse("pthread_mutex_unlock: the mutex was destroyed");
        if (m->type == PTHREAD_MUTEX_NORMAL)
            __pthread_misuse_held(m->locked
                                      ? "pthread_mutex_unlock: another thread holds the mutex"
                                      : "pthread_mutex_unlock: the mutex is not locked",
                                  tid_of(m->owner));
        os_leave();
        return EPERM;
    }
    m->locked = 0;
    m->owner = NULL;
    self->holds--;
    os_leave();
    return 0;
}
