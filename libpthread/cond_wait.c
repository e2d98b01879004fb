/* cond_wait.c - waiting on a condition variable, in two visible actions.
 *
 * The first releases the mutex and queues the thread.  It then waits for the
 * mutex, but for ever: whoever signals takes it off the queue and lets it wait
 * for the mutex to be free.  So waking and locking again are one action.  Where
 * the wait can end by itself (a time limit, or --spurious-wakeups), waking is an
 * action of its own, and the mutex is waited for afterwards.
 *
 * A recursive mutex that was locked more than once is unlocked once, as glibc and
 * musl do, and so stays locked.  Its thread then waits for nothing but a signal. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

/* With pthread_cond_timedwait in the messages, if it is that. */
#define SAY_NAME(timed) ((timed) ? "pthread_cond_timedwait" : "pthread_cond_wait")
#define SAY(timed, text) \
    ((timed) ? "pthread_cond_timedwait: " text : "pthread_cond_wait: " text)

OS_INLINE void enqueue(struct cond *cond, const struct mutex *mutex, struct os_thread *self,
                       bool timed)
{
    if (cond->state == DESTROYED)
        misuse(SAY(timed, "the condition variable was destroyed"));
    const struct os_thread *other = os_queued(cond, 0);
    if (other && os_queued_word(other, cond) != &mutex->locked)
        misuse(SAY(timed, "another thread waits on it with another mutex"));
    os_enqueue(self, cond);
}

/* Does a request to cancel that came while the thread waited, or after that, end the wait?
 * POSIX leaves that open if there was another reason to go on; a signal must then wake another
 * thread. */
static bool acts_on_cancel(struct cond *cond, bool signalled, bool by_itself)
{
    if (!signalled && !by_itself)
        return true;
    if (!__divm_choose(2, NULL))
        return false;
    if (signalled)
        __pthread_cond_wake_one(cond);
    return true;
}

OS_INLINE void release(struct mutex *mutex, struct os_thread *self)
{
    if (mutex->count & MUTEX_LISTED)
        __pthread_mutex_unlist(mutex, self);
    mutex->locked = 0;
    mutex->owner = NULL;
    mutex->count = 0;
    self->holds--;
}

/* Chooses beforehand whether the thread will wake by itself, so that it waits for ever if
 * nobody signals and it does not: a thread that goes on only since it might wake by itself has
 * lost a signal. */
OS_INLINE bool is_to_wake_by_itself(void)
{
    return os_state()->options & VM_BOOT_SPURIOUS && __divm_choose(2, NULL);
}

static void tell_woken_by_itself(void)
{
    static const char told[] = "wakes up by itself";
    __divm_trace(VM_TRACE_CHOICE, told, sizeof told - 1);
}

OS_INLINE int wait(struct cond *c, struct mutex *m, const struct timespec *until)
{
    bool timed = until;
    struct os_thread *self = os_enter();
    CANCELLATION_POINT(self);
    mutex_check_held(m, self, SAY_NAME(timed));
    if (m->owner != self) {
        if (m->type == PTHREAD_MUTEX_NORMAL || m->type == DESTROYED)
            misuse(SAY(timed, "the mutex is not held by this thread"));
        os_leave();
        return EPERM;
    }
    os_act(timed ? VM_ACT_COND_TIMEDWAIT : VM_ACT_COND_WAIT, c, sizeof *c);
    CANCELLATION_POINT(self);
    cond_check(c, SAY_NAME(timed));
    enqueue(c, m, self, timed);
    bool keeps = m->count & ~MUTEX_LISTED;
    if (!keeps) {
        os_pass_on(m);
        release(m, self);
    }

    if (timed)
        os_limit_begin(until->tv_sec, until->tv_nsec, NULL, 0);
    bool by_itself = timed || is_to_wake_by_itself();
    os_wait(VM_ACT_COND_WAKE, m, sizeof *m, keeps ? &self->running : &m->locked,
            (by_itself ? OS_ALWAYS : OS_FOR_EVER) | (keeps ? 0 : OS_LOCK) | OS_BY_CANCEL);
    bool ended_by_itself = os_leave_queue(self);
    if (timed)
        os_time_out(ended_by_itself);
    else if (by_itself && ended_by_itself)
        tell_woken_by_itself();
    int result = 0;
    if (ended_by_itself && !keeps)
        mutex_wait(VM_ACT_LOCK, m);
    if (!keeps)
        result = mutex_got(m, self, SAY_NAME(timed));
    if (__pthread_cancellable && os_is_cancelled(self) &&
        acts_on_cancel(c, !ended_by_itself, by_itself)) {
        os_leave();
        __os_cancelled();
    }
    os_leave();
    return result ? result : timed && ended_by_itself ? ETIMEDOUT : 0;
}

int pthread_cond_wait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex)
{
    return wait((struct cond *)cond, (struct mutex *)mutex, NULL);
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict until)
{
    const struct timespec limit = *until;
    if (is_bad_time(&limit))
        return EINVAL;
    if (is_never(&limit))
        return pthread_cond_wait(cond, mutex);
    int result = wait((struct cond *)cond, (struct mutex *)mutex, &limit);
    return result == ETIMEDOUT ? timed_out(false, &limit) : result;
}

int pthread_cond_clockwait(pthread_cond_t *restrict cond, pthread_mutex_t *restrict mutex,
                           clockid_t clock, const struct timespec *restrict until)
{
    return is_bad_clock(clock) ? EINVAL : pthread_cond_timedwait(cond, mutex, until);
}
