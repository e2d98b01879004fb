/* inherit.c - what a new thread has of the one that makes it: the blocked signals,
 * and policy and priority unless its attributes say otherwise. */
#include "libpthread/internal.h"

void __pthread_inherit(struct os_thread *made, const struct os_more *from,
                       const struct attr *attr)
{
    struct os_more *more = os_more(made);
    if (from) {
        more->blocked = from->blocked;
        more->policy = from->policy;
        more->priority = from->priority;
    }
    if (attr && attr->inherit == PTHREAD_EXPLICIT_SCHED) {
        more->policy = attr->policy;
        more->priority = attr->priority;
    }
    os_less(made);
}
