/* spin.c - spin locks, which don't spin: a thread that cannot have one waits as for
 * a mutex.  The lock is OS_LISTED while it is held, 0, or DESTROYED. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/wait.h"

OS_INLINE void take(pthread_spinlock_t *lock, struct os_thread *self, const char *destroyed)
{
    if (*lock == DESTROYED)
        misuse(destroyed);
    *lock = OS_LISTED;
    reading_add(self, (const void *)lock);
}

OS_INLINE void check(const pthread_spinlock_t *lock, const char *function)
{
    if (*lock && *lock != OS_LISTED && *lock != DESTROYED)
        __pthread_not_a(function, "spin lock");
}

static const struct os_thread *holder(const pthread_spinlock_t *lock)
{
    return *lock == OS_LISTED ? os_holder((const int *)lock, os_self()) : NULL;
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared)
{
    (void)shared;
    *lock = 0;
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *lock)
{
    os_enter();
    os_act(VM_ACT_DESTROY, lock, sizeof *lock);
    check(lock, __func__);
    if (*lock == DESTROYED)
        misuse("pthread_spin_destroy: the lock is destroyed already");
    if (*lock)
        __pthread_misuse_held("pthread_spin_destroy: the lock is held", tid_of(holder(lock)));
    *lock = DESTROYED;
    os_leave();
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *lock)
{
    struct os_thread *self = os_enter();
    check(lock, __func__);
    os_wait_held(VM_ACT_LOCK, lock, sizeof *lock, lock, OS_WHILE_POSITIVE | OS_HOLDER, NULL);
    take(lock, self, "pthread_spin_lock: the lock was destroyed");
    os_leave();
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *lock)
{
    struct os_thread *self = os_enter();
    check(lock, __func__);
    bool free = os_wait_timed(VM_ACT_TRYLOCK, lock, sizeof *lock, lock, OS_WHILE_POSITIVE);
    if (free) {
        os_be_told((const void *)lock);
        take(lock, self, "pthread_spin_trylock: the lock was destroyed");
    }
    os_leave();
    return free ? 0 : EBUSY;
}

int pthread_spin_unlock(pthread_spinlock_t *lock)
{
    struct os_thread *self = os_enter();
    check(lock, __func__);
    os_act(VM_ACT_UNLOCK, lock, sizeof *lock);
    if (*lock == DESTROYED)
        misuse("pthread_spin_unlock: the lock was destroyed");
    if (!reading_remove(self, (const void *)lock))
        __pthread_misuse_held("pthread_spin_unlock: the lock is not held by this thread",
                              tid_of(holder(lock)));
    *lock = 0;
    os_leave();
    return 0;
}
