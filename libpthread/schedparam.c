/* schedparam.c - policy and priority of a thread: kept, without effect, since the
 * scheduler tries every order. */
#include "libpthread/internal.h"

static struct os_thread *enter(pthread_t thread, const char *message)
{
    struct os_thread *target = (struct os_thread *)thread;
    os_enter();
    os_act(VM_ACT_SYSCALL, target, sizeof *target);
    if (!os_is_known(target))
        misuse(message);
    return target;
}

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
    return set(enter(thread, "pthread_setschedparam: there is no such thread"), policy,
               priority);
}

int pthread_setschedprio(pthread_t thread, int priority)
{
    struct os_thread *target = enter(thread, "pthread_setschedprio: there is no such thread");
    return set(target, target->more ? target->more->policy : SCHED_OTHER, priority);
}

int pthread_getschedparam(pthread_t thread, int *restrict policy,
                          struct sched_param *restrict param)
{
    const struct os_thread *target =
        enter(thread, "pthread_getschedparam: there is no such thread");
    int found = target->more ? target->more->policy : SCHED_OTHER;
    int priority = target->more ? target->more->priority : 0;
    os_leave();
    *policy = found;
    *param = (struct sched_param){.sched_priority = priority};
    return 0;
}
