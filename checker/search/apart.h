/* apart.h - runs work that may run out of memory, or cannot be told to stop, in a thread of its
 * own.
 *
 * If the work does not end, its thread is left where it is, with everything that it has taken.
 * The rest of the process then reports what it knows; it must not touch anything of that
 * thread's, and must end by _exit. */
#ifndef CHECKER_APART_H
#define CHECKER_APART_H

#include "check.h"

enum apart_end {
    APART_DONE,
    APART_EXHAUSTED, /* the system has no more memory */
    APART_MEMORY,    /* the memory limit was reached */
    APART_TIME,
    APART_INTERRUPTED,
    APART_CRASHED, /* the work says so: it has crashed, and survived (checker/build/crash.h) */
};

/* Runs body to its end.  Memory is limited by options->max_bytes in its thread, and in threads
 * that take over its vm_relief. */
enum apart_end apart_run(void (*body)(void *context), void *context,
                         const struct check_options *options);
/* Runs a body that does not watch the deadline and interrupts itself. */
enum apart_end apart_run_limited(void (*body)(void *context), void *context,
                                 const struct check_options *options);
/* Returns the limit to report for an end other than DONE, INTERRUPTED and CRASHED. */
enum check_limit apart_limit(enum apart_end end);

#endif
