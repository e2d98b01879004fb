/* inherit.c - inheritance by a new thread from its maker: the blocked signals, and policy and
 * priority unless its attributes say otherwise. */
#include "libpthread/internal.h"
#include "os/state.h"
#include "os/thread.h"

void __pthread_inherit(struct os_thread *made, const struct os_more *from,
                       struct scheduling given)
{
    struct os_more *more = os_more(made);
    if (from) {
        more->blocked = from->blocked;
        more->policy = from->policy;
        more->priority = from->priority;
    }
    if (given.is_explicit) {
        more->policy = given.policy;
        more->priority = given.priority;
    }
    os_less(made);
}
