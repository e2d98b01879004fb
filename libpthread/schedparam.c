/* schedparam.c - policy and priority of a thread: kept, without effect, since the
 * scheduler tries every order. */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/thread.h"

static bool is_valid(int policy, int priority)
{
    if (policy == SCHED_FIFO || policy == SCHED_RR)
        return priority >= 1 && priority <= 99;
    return policy == SCHED_OTHER && priority == 0;
}

static int set(struct os_thread *target, int policy, int priority)
{
    bool valid = is_valid(policy, priority);
    if (valid && target->running) {
        struct os_more *more = os_more(target);
        more->policy = policy;
        more->priority = priority;
        os_less(target);
    }
    os_leave();
    return valid ? 0 : EINVAL;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *param)
{
    int priority = param->sched_priority;
    return set(enter_for(thread, "pthread_setschedparam: there is no such thread"), policy,
               priority);
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    struct os_thread *target =
        enter_for(thread, "pthread_setschedprio: there is no such thread");
    return set(target, target->more ? target->more->policy : SCHED_OTHER, priority);
}
