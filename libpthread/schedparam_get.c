/* schedparam_get.c - pthread_getschedparam. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"

int pthread_getschedparam(pthread_t thread, int *restrict policy,
                          struct sched_param *restrict param)
{
    os_see_ends();
    const struct os_thread *target =
        enter_for(thread, "pthread_getschedparam: there is no such thread");
    int found = target->more ? target->more->policy : SCHED_OTHER;
    int priority = target->more ? target->more->priority : 0;
    os_leave();
    *policy = found;
    *param = (struct sched_param){.sched_priority = priority};
    return 0;
}
