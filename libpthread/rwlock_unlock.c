/* rwlock_unlock.c - unlocking, whatever it was locked for. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/wait.h"

int pthread_rwlock_unlock(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    struct os_thread *self = os_enter();
    os_act(VM_ACT_RWUNLOCK, l, sizeof *l);
    rwlock_check(l, __func__);
    if (l->owner == self) {
        os_pass_on(l);
        l->users = 0;
        l->owner = NULL;
        self->holds--;
    } else {
        if (l->state == DESTROYED)
            misuse("pthread_rwlock_unlock: the lock was destroyed");
        if (!reading_remove(self, l))
            __pthread_misuse_held("pthread_rwlock_unlock: the lock is not held by this thread",
                                  tid_of(l->owner));
        os_pass_on(&l->users); /* who writes is told, and who reads is not */
        l->users--;
    }
    os_leave();
    return 0;
}
