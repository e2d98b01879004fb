/* guard.h - the limits of time and memory, and interrupts, for what one thread does by itself:
 * a second thread looks at them, and sets a word that machines look at (vm_options.halt).
 *
 * Between begin and end a guard must stay where it is; both are called by the same thread. */
#ifndef CHECKER_GUARD_H
#define CHECKER_GUARD_H

#include <pthread.h>

#include "check.h"

struct guard {
    _Atomic int halt;  /* not 0: what is done is to end */
    _Atomic int limit; /* enum check_limit: why; NONE: an interrupt */
    const struct check_options *options;
    double deadline; /* by watch_now; 0: none */
    pthread_mutex_t lock;
    pthread_cond_t over;
    pthread_t thread;
    bool running, ended; /* ended: under lock */
};

/* Begins to watch the options' limits, and a deadline of its own. */
void guard_begin(struct guard *guard, const struct check_options *options, double deadline);
void guard_end(struct guard *guard);
/* Was there a reason to halt?  To be called after guard_end.  *limit is the limit, or NONE for
 * an interrupt. */
bool guard_halted(struct guard *guard, enum check_limit *limit);
/* Says in the result, after the end of a guard that halted, or while which its thread was told
 * that there is no room (vm_has_room), that an error was found, but there was no time or no
 * memory for its path. */
void check_out_of_time(struct guard *guard, struct check_result *result);
/* Returns the deadline for what follows a search: finding the path to an error may take a
 * little longer. */
double guard_last_deadline(const struct check_options *options);

#endif
