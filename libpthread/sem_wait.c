/* sem_wait.c - taking one off a semaphore. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

OS_INLINE void check(const struct semaphore *sem, const char *function, const char *destroyed,
                     const char *unborn)
{
    semaphore_check(sem, function);
    if (sem->state != SEMAPHORE)
        misuse(sem->state ? destroyed : unborn);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

int sem_wait(sem_t *sem)
{
    struct semaphore *s = (struct semaphore *)sem;
    bool interrupted;
    do {
        struct os_thread *self = os_enter();
        CANCELLATION_POINT(self);
        check(s, __func__, "sem_wait: the semaphore was destroyed",
              "sem_wait: the semaphore was never initialised");
        interrupted = os_wait_open(VM_ACT_SEM_WAIT, s, sizeof *s, &s->value,
                                   OS_WHILE_ZERO | OS_BY_CANCEL | OS_BY_SIGNAL);
        check(s, __func__, "sem_wait: the semaphore was destroyed",
              "sem_wait: the semaphore was never initialised");
        if (!interrupted)
            s->value--;
        else if (__pthread_cancellable && os_is_cancelled(self))
            __os_cancelled();
        os_leave();
    } while (interrupted && os_signal_take());
    return interrupted ? fail(EINTR) : 0;
}

int sem_trywait(sem_t *sem)
{
    struct semaphore *s = (struct semaphore *)sem;
    os_enter();
    bool free = os_wait_timed(VM_ACT_SEM_TRYWAIT, s, sizeof *s, &s->value, OS_WHILE_ZERO);
    check(s, __func__, "sem_trywait: the semaphore was destroyed",
          "sem_trywait: the semaphore was never initialised");
    if (free) {
        os_be_told(s);
        s->value--;
    }
    os_leave();
    return free ? 0 : fail(EAGAIN);
}

int sem_timedwait(sem_t *restrict sem, const struct timespec *restrict until)
{
    struct semaphore *s = (struct semaphore *)sem;
    const struct timespec limit = *until;
    bool bad = is_bad_time(&limit);
    if (is_never(&limit))
        return sem_wait(sem);
    struct os_thread *self = os_enter();
    CANCELLATION_POINT(self);
    os_limit_begin(limit.tv_sec, limit.tv_nsec, &s->value, OS_WHILE_ZERO);
    bool free = os_wait_timed(VM_ACT_SEM_WAIT, s, sizeof *s, &s->value, OS_WHILE_ZERO);
    os_time_out(!free);
    check(s, __func__, "sem_timedwait: the semaphore was destroyed",
          "sem_timedwait: the semaphore was never initialised");
    if (__pthread_cancellable && os_is_cancelled(self) && __divm_choose(2, NULL))
        __os_cancelled();
    if (free)
        s->value--;
    os_leave();
    return free ? 0 : fail(timed_out(bad, &limit));
}

int sem_clockwait(sem_t *restrict sem, clockid_t clock, const struct timespec *restrict until)
{
    return is_bad_clock(clock) ? fail(EINVAL) : sem_timedwait(sem, until);
}
