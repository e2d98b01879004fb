/* rwlock_read.c - locking for reading.  Readers may pass a writer that waits: POSIX
 * leaves that open without the priority options. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/wait.h"

OS_INLINE void take(struct rwlock *lock, struct os_thread *self, const char *destroyed)
{
    if (lock->state == DESTROYED)
        misuse(destroyed);
    lock->users++;
    reading_add(self, lock);
    os_be_told(lock);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    os_wait_held(VM_ACT_RDLOCK, l, sizeof *l, &l->users, OS_WHILE_NEGATIVE | OS_LOCK, l->owner);
    take(l, self, "pthread_rwlock_rdlock: the lock was destroyed");
    os_leave();
    return 0;
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock)
{
    struct rwlock *l = (struct rwlock *)lock;
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    bool free = os_wait_timed(VM_ACT_RDLOCK, l, sizeof *l, &l->users, OS_WHILE_NEGATIVE);
    if (free)
        take(l, self, "pthread_rwlock_tryrdlock: the lock was destroyed");
    os_leave();
    return free ? 0 : EBUSY;
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict until)
{
    struct rwlock *l = (struct rwlock *)lock;
    const struct timespec limit = *until;
    bool bad = is_bad_time(&limit);
    if (is_never(&limit))
        return pthread_rwlock_rdlock(lock);
    struct os_thread *self = os_enter();
    rwlock_check(l, __func__);
    os_limit_begin(limit.tv_sec, limit.tv_nsec, &l->users, OS_WHILE_NEGATIVE);
    bool free = os_wait_timed(VM_ACT_RDLOCK, l, sizeof *l, &l->users, OS_WHILE_NEGATIVE);
    os_time_out(!free);
    if (free)
        take(l, self, "pthread_rwlock_timedrdlock: the lock was destroyed");
    os_leave();
    return free ? 0 : timed_out(bad, &limit);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict lock, clockid_t clock,
                               const struct timespec *restrict until)
{
    return is_bad_clock(clock) ? EINVAL : pthread_rwlock_timedrdlock(lock, until);
}
