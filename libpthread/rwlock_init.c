/* rwlock_init.c - making and destroying read-write locks. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/wait.h"

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attr)
{
    if (attr)
        rwlockattr_check(attr, __func__);
    *(struct rwlock *)lock = (struct rwlock){0};
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    os_enter();
    os_act(VM_ACT_DESTROY, l, sizeof *l);
    rwlock_check(l, __func__);
    if (l->state == DESTROYED)
        misuse("pthread_rwlock_destroy: the lock is destroyed already");
    if (l->users)
        __pthread_misuse_held("pthread_rwlock_destroy: the lock is held", tid_of(l->owner));
    l->state = DESTROYED;
    os_leave();
    return 0;
}
