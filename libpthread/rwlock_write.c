/* rwlock_write.c - locking for writing. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

OS_INLINE void take(struct rwlock *lock, struct os_thread *self, const char *destroyed)
{
    if (lock->state == DESTROYED)
        misuse(destroyed);
    lock->users = -1;
    lock->owner = self;
    os_be_told(lock);
    os_be_told(&lock->users);
    self->holds++;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    os_wait_held(VM_ACT_WRLOCK, l, sizeof *l, &l->users, OS_WHILE_NONZERO | OS_LOCK, l->owner);
    take(l, self, "pthread_rwlock_wrlock: the lock was destroyed");
    os_leave();
    return 0;
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    bool free = os_wait_timed(VM_ACT_WRLOCK, l, sizeof *l, &l->users, OS_WHILE_NONZERO);
    if (free)
        take(l, self, "pthread_rwlock_trywrlock: the lock was destroyed");
    os_leave();
    return free ? 0 : EBUSY;
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict until)
{
    struct rwlock *l = (struct rwlock *)lock;
    const struct timespec limit = *until;
    bool bad = is_bad_time(&limit);
    if (is_never(&limit))
        return pthread_rwlock_wrlock(lock);
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    os_limit_begin(limit.tv_sec, limit.tv_nsec, &l->users, OS_WHILE_NONZERO);
    bool free = os_wait_timed(VM_ACT_WRLOCK, l, sizeof *l, &l->users, OS_WHILE_NONZERO);
    os_time_out(!free);
    if (free)
        take(l, self, "pthread_rwlock_timedwrlock: the lock was destroyed");
    os_leave();
    return free ? 0 : timed_out(bad, &limit);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict until)
{
    return is_bad_clock(clock) ? EINVAL : pthread_rwlock_timedwrlock(lock, until);
}
