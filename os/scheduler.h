/* scheduler.h - the scheduler: the function that every transition starts with.  The machine
 * calls it in the kernel, on a stack of its own.
 *
 * The machine calls it in the kernel, on a stack of its own. */
#ifndef OS_SCHEDULER_H
#define OS_SCHEDULER_H

#include "os/state.h"

void os_scheduler(void);
/* Ends the program: nothing goes on any more but the monitor, if there is one. */
_Noreturn void os_end(void);

#endif
