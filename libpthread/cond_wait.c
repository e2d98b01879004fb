/* cond_wait.c - waiting on a condition variable, in two visible actions.
 *
 * The first releases the mutex and queues the thread.  It then waits for the
 * mutex, but for ever: whoever signals takes it off the queue and lets it wait
 * for the mutex to be free.  So waking and locking again are one action.  Where
 * the wait can end by itself (a time limit, or --spurious-wakeups), waking is an
 * action of its own, and the mutex is waited for afterwards. */
#include "libpthread/internal.h"

/* With pthread_cond_timedwait in the messages, if it is that. */
#define SAY(timed, text) ((timed) ? "pthread_cond_timedwait: " text : "pthread_cond_wait: " text)

OS_INLINE void enqueue(struct cond *cond, const struct mutex *mutex, struct os_thread *self,
                    bool timed)
{
    if (cond->state == DESTROYED)
        misuse(SAY(timed, "the condition variable was destroyed"));
    const struct os_thread *other = os_queued(cond, 0);
    if (other && other->word != &mutex->locked)
        misuse(SAY(timed, "another thread waits on it with another mutex"));
    self->queue = cond;
}

OS_INLINE int wait(struct cond *c, struct mutex *m, bool timed)
{
    struct os_thread *self = os_enter();
    if (m->owner != self) {
        if (m->type != PTHREAD_MUTEX_ERRORCHECK)
            misuse(SAY(timed, "the mutex is not held by this thread"));
        os_leave();
        return EPERM;
    }
    os_act(timed ? VM_ACT_COND_TIMEDWAIT : VM_ACT_COND_WAIT, c, sizeof *c);
    enqueue(c, m, self, timed);
    int count = m->count;
    m->locked = 0;
    m->owner = NULL;
    m->count = 0;

    bool by_itself = timed || os_state()->options & VM_BOOT_SPURIOUS;
    os_wait(VM_ACT_COND_WAKE, m, sizeof *m, &m->locked,
            (by_itself ? OS_ALWAYS : OS_FOR_EVER) | OS_LOCK);
    bool ended_by_itself = self->queue;
    if (ended_by_itself) {
        self->queue = NULL;
        mutex_wait(VM_ACT_LOCK, m);
    }
    if (m->type == DESTROYED)
        misuse(SAY(timed, "the mutex was destroyed"));
    mutex_take(m, self);
    m->count = count;
    os_leave();
    return timed && ended_by_itself ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex)
{
    return wait((struct cond *)cond, (struct mutex *)mutex, false);
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    if (is_bad_time(until))
        return EINVAL;
    return wait((struct cond *)cond, (struct mutex *)mutex, true);
}
