/* clock.h - time: what clocks show, when waits end, and the processor's counter of cycles.
 *
 * Each function says whether it runs in the kernel or in user mode. */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include "os/state.h"

/* --clock=prompt, in the kernel.  os_limit_begin: a wait that now begins ends at this time, or,
 * for a sleep, after it.  os_limit_end: it has ended, by this time or otherwise.  os_time_out:
 * so has a wait that is no sleep, with any clock.
 * os_limit_exchange: a signal handler runs in between, and its thread goes by another limit, or
 * none; returns the one that it had. */
void os_limit_begin(long seconds, long nanoseconds, const int *word, uint32_t wait);
void os_limit_end(bool passed);
void os_time_out(bool passed);
struct os_limit os_limit_exchange(struct os_thread *thread, struct os_limit limit);
bool os_is_prompt(void);
void os_clock_after(long *seconds, long *nanoseconds);
/* Notes, in any mode, that the program sees how much time has passed, so that a loop may end by
 * that. */
void os_clock_noted(void);
/* From user mode.  os_clock_until: a time limit has passed; os_clock_add: this much time
 * has. */
enum { OS_NOW = 946684800 }; /* Saturday, 1 January 2000 */
void os_clock_read(long *seconds, long *nanoseconds);
/* Is it a time that nobody will see, from the year 2100 on?  Programs say so that they wait for
 * ever, by the last point in time that a clock can show (libc++ makes 2174 of that).  In any
 * mode. */
OS_INLINE bool os_is_never(long seconds)
{
    enum { YEARS = 130, YEAR = 31556952 /* seconds */ };
    return seconds >= (long)YEARS * YEAR;
}
void os_clock_until(long seconds, long nanoseconds);
void os_clock_add(long seconds, long nanoseconds);

/* cycles.c: returns what rdtsc gives; the loader calls it.  From user mode. */
uint64_t __os_cycles(void);

#endif
