/* apart.h - what may run out of memory, or cannot be told to stop, runs in a thread of its own.
 * If it does not come to its end it is left where it is, with all that it has taken, and the
 * rest of the process goes on to tell what there was: it must not touch any of that, and end by
 * _exit. */
#ifndef CHECKER_APART_H
#define CHECKER_APART_H

#include "check.h"

enum apart_end {
    APART_DONE,
    APART_EXHAUSTED, /* there is no more memory */
    APART_MEMORY,    /* or not within the limit */
    APART_TIME,
    APART_INTERRUPTED,
};

/* Runs it to its end.  In it, and in threads that take over its vm_relief, memory is limited by
 * options->max_bytes. */
enum apart_end apart_run(void (*body)(void *context), void *context,
                         const struct check_options *options);
/* The same for what does not look at the deadline and at interrupts itself. */
enum apart_end apart_run_limited(void (*body)(void *context), void *context,
                                 const struct check_options *options);
/* The limit that stands for an end other than DONE and INTERRUPTED. */
enum check_limit apart_limit(enum apart_end end);

#endif
