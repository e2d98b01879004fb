/* mutex_lock.c - locking.
 *
 * A thread that holds a mutex can see so before it stops, since nobody else can
 * change that; nobody sees how often it holds it, either, so that locking again
 * is no visible action.  A normal mutex is then waited for, for ever. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/wait.h"

/* Locks a mutex that the calling thread holds, and that is not a plain normal one. */
static int lock_again(struct mutex *mutex, int errorcheck)
{
    int type = mutex->type & MUTEX_TYPE, result = 0;
    if (type == PTHREAD_MUTEX_NORMAL && errorcheck == EBUSY)
        result = EBUSY;
    else if (type == PTHREAD_MUTEX_NORMAL)
        mutex_wait(VM_ACT_LOCK, mutex); /* for ever */
    else if (type == PTHREAD_MUTEX_ERRORCHECK)
        result = errorcheck;
    else if ((mutex->count & ~MUTEX_LISTED) == MUTEX_LISTED - 1)
        result = EAGAIN;
    else
        mutex->count++;
    os_leave();
    return result;
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    struct os_thread *self = os_enter();
    bool held = mutex_is_held(m, __func__);
    if (held && m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EDEADLK);
    mutex_wait(VM_ACT_LOCK, m);
    int result = mutex_got(m, self, __func__);
    os_leave();
    return result;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    struct os_thread *self = os_enter();
    bool held = mutex_is_held(m, __func__);
    if (held && m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EBUSY);
    os_act(VM_ACT_TRYLOCK, m, sizeof *m);
    int result = EBUSY;
    if (!m->locked) {
        os_be_told(m);
        result = mutex_got(m, self, __func__);
    }
    os_leave();
    return result;
}

static int lock_until(struct mutex *m, const struct timespec *until)
{
    const struct timespec limit = *until;
    bool bad = is_bad_time(&limit);
    if (is_never(&limit))
        return pthread_mutex_lock((pthread_mutex_t *)m);
    struct os_thread *self = os_enter();
    bool held = mutex_is_held(m, "pthread_mutex_timedlock");
    if (m->untimed)
        misuse("mtx_timedlock: the mutex was initialised without mtx_timed");
    if (held && m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EDEADLK);
    os_limit_begin(limit.tv_sec, limit.tv_nsec, &m->locked, OS_WHILE_NONZERO);
    bool free = os_wait_timed(VM_ACT_TIMEDLOCK, m, sizeof *m, &m->locked, OS_WHILE_NONZERO);
    os_time_out(!free);
    int result = 0;
    if (free)
        os_be_told(m);
    if (free)
        result = mutex_got(m, self, "pthread_mutex_timedlock");
    os_leave();
    return free ? result : timed_out(bad, &limit);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict until)
{
    return lock_until((struct mutex *)mutex, until);
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict mutex, clockid_t clock,
                            const struct timespec *restrict until)
{
    return is_bad_clock(clock) ? EINVAL : lock_until((struct mutex *)mutex, until);
}
