/* mutex_lock.c - locking.
 *
 * A thread that holds a mutex can see so before it stops, since nobody else can
 * change that; nobody sees how often it holds it, either, so that locking again
 * is no visible action.  A normal mutex is then waited for, for ever. */
#include "libpthread/internal.h"

/* The calling thread holds it, and it is not a normal one. */
static int lock_again(struct mutex *mutex, int errorcheck)
{
    int result = 0;
    if (mutex->type == PTHREAD_MUTEX_ERRORCHECK)
        result = errorcheck;
    else if (mutex->count == INT_MAX)
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
    if (m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EDEADLK);
    mutex_wait(VM_ACT_LOCK, m);
    if (m->type == DESTROYED)
        misuse("pthread_mutex_lock: the mutex was destroyed");
    mutex_take(m, self);
    os_leave();
    return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex)
{
    struct mutex *m = (struct mutex *)mutex;
    struct os_thread *self = os_enter();
    if (m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EBUSY);
    os_act(VM_ACT_TRYLOCK, m, sizeof *m);
    if (m->type == DESTROYED)
        misuse("pthread_mutex_trylock: the mutex was destroyed");
    bool busy = m->locked;
    if (!busy)
        mutex_take(m, self);
    os_leave();
    return busy ? EBUSY : 0;
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until)
{
    struct mutex *m = (struct mutex *)mutex;
    bool bad = is_bad_time(until);
    struct os_thread *self = os_enter();
    if (m->owner == self && m->type != PTHREAD_MUTEX_NORMAL)
        return lock_again(m, EDEADLK);
    bool free = os_wait_timed(VM_ACT_TIMEDLOCK, m, sizeof *m, &m->locked, OS_WHILE_NONZERO);
    if (m->type == DESTROYED)
        misuse("pthread_mutex_timedlock: the mutex was destroyed");
    if (free)
        mutex_take(m, self);
    os_leave();
    return free ? 0 : bad ? EINVAL : ETIMEDOUT;
}
