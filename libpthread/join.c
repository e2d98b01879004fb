/* join.c - pthread_join.
 *
 * Joining a finished thread commutes with all that others do, so it stops only to
 * show an open footprint (a conditionally visible action).  Who has to wait is then woken by
 * the end of the thread, and goes on before anyone else. */
#include "libpthread/internal.h"
#include "os/clock.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread_end.h"
#include "os/wait.h"
#include <errno.h>

static void check(const struct os_thread *target, const struct os_thread *self)
{
    if (!os_is_known(target))
        misuse(
            "pthread_join: there is no such thread: it was joined, or detached and has ended");
    if (target->running && os_state()->processes && os_process(target) != os_process(self))
        misuse("pthread_join: the thread belongs to another process");
    if (target == self)
        misuse("pthread_join: the thread joins itself");
    if (target->detached)
        misuse("pthread_join: the thread is detached");
    if (target->joiner && target->joiner != self)
        misuse("pthread_join: another thread joins it already");
}

/* Is the target fine, so that check need not be called?  Most are. */
OS_INLINE bool is_fine(const struct os_thread *target, const struct os_thread *self)
{
    return os_is_thread(target) && target != self && !target->detached && !target->joiner &&
           !os_state()->processes;
}

static void finish(struct os_thread *target, void **result)
{
    os_commutes_begin(); /* the end has been looked at, and the result was there before */
    void *value = target->result;
    os_thread_free(target);
    os_leave();
    if (result)
        *result = value;
}

/* Joins where threads can be cancelled: a request may come just before, so that it is no
 * conditionally visible action. */
static int join_cancellable(struct os_thread *target, struct os_thread *self, void **result)
{
    CANCELLATION_POINT(self);
    os_act(VM_ACT_JOIN, target, sizeof *target);
    check(target, self);
    if (target->running) {
        CANCELLATION_POINT(self);
        target->joiner = self;
        if (os_wait_open(VM_ACT_JOIN, target, sizeof *target, &target->running,
                         OS_WHILE_NONZERO | OS_BY_CANCEL)) {
            target->joiner = NULL;
            __os_cancelled();
        }
    }
    finish(target, result);
    return 0;
}

/* Is a deferred join worth while?  Two threads that are not symmetric are joined as quickly one
 * after the other. */
OS_INLINE bool is_worth_it(const struct os_thread *target, const struct os_thread *self)
{
    return self->deferred || (target->running && (target->symmetric || os_state()->live > 3));
}

/* Joins without a result: the thread then has nothing of the other one. */
static bool join_deferred(struct os_thread *target, struct os_thread *self)
{
    if (is_fine(target, self) && is_worth_it(target, self) && os_join_deferred(target, self))
        return true;
    if (self->deferred)
        os_await_joined();
    return false;
}

int pthread_join(pthread_t thread, void **result)
{
    if (!result)
        os_stay_late();
    struct os_thread *self = os_enter(), *target = (struct os_thread *)thread;
    if (__pthread_cancellable)
        return join_cancellable(target, self, result);
    os_act(VM_ACT_JOIN | VM_ACT_CONDITIONAL, target, sizeof *target);
    os_commutes_begin(); /* to come before the end or after it is the same */
    if (!result && join_deferred(target, self)) {
        os_leave();
        return 0;
    }
    if (!is_fine(target, self))
        check(target, self);
    target->joiner = self;
    os_wait_held(VM_ACT_JOIN | VM_ACT_READY, target, sizeof *target, &target->running,
                 OS_WHILE_NONZERO, target);
    os_commutes_begin();
    void *value = target->result; /* see finish */
    os_thread_free(target);
    os_leave();
    if (result)
        *result = value;
    return 0;
}

/* Joins a thread that has ended.  The end of a thread is a conditionally visible action, which
 * may have been done together with what came before it: so a thread that has ended may also be
 * one that has not. */
static int join_if_ended(pthread_t thread, void **result, int otherwise)
{
    struct os_thread *self = os_enter(), *target = (struct os_thread *)thread;
    os_act(VM_ACT_JOIN, target, sizeof *target);
    check(target, self);
    if (!target->running && __divm_choose(2, NULL) == 0) {
        finish(target, result);
        return 0;
    }
    os_time_out(otherwise == ETIMEDOUT);
    os_leave();
    return otherwise;
}

int pthread_tryjoin_np(pthread_t thread, void **result)
{
    return join_if_ended(thread, result, EBUSY);
}

/* Joins with --clock=prompt: while a thread can go on, the limit does not pass. */
static int join_promptly(pthread_t thread, void **result, const struct timespec *limit)
{
    struct os_thread *self = os_enter(), *target = (struct os_thread *)thread;
    os_act(VM_ACT_JOIN, target, sizeof *target);
    check(target, self);
    target->joiner = self;
    os_limit_begin(limit->tv_sec, limit->tv_nsec, &target->running, OS_WHILE_NONZERO);
    bool ended =
        os_wait_timed(VM_ACT_JOIN, target, sizeof *target, &target->running, OS_WHILE_NONZERO);
    os_time_out(!ended);
    if (ended) {
        finish(target, result);
        return 0;
    }
    target->joiner = NULL;
    os_leave();
    return ETIMEDOUT;
}

int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    if (!until || is_never(until))
        return pthread_join(thread, result);
    const struct timespec limit = *until;
    CANCELLATION_POINT(os_self());
    if (os_is_prompt() && !is_bad_time(&limit))
        return join_promptly(thread, result, &limit);
    int error = join_if_ended(thread, result, is_bad_time(&limit) ? EINVAL : ETIMEDOUT);
    return error == ETIMEDOUT ? timed_out(false, &limit) : error;
}
