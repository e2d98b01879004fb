/* scheduler.h - the scheduler: the function that every transition starts with.  The machine
 * calls it in the kernel, on a stack of its own. */
#ifndef OS_SCHEDULER_H
#define OS_SCHEDULER_H

#include "os/mode.h"
#include "os/state.h"

void os_scheduler(void);
/* Ends the program, but for the monitor, which goes on. */
_Noreturn void os_end_watched(void);

/* Ends the program, which has these options (VM_BOOT_*): a process that exits has read them, so
 * that the ends of most programs, which have no monitor, take no look at os_state()->special.
 */
OS_INLINE _Noreturn void os_end(uint32_t options)
{
    if (options & VM_BOOT_MONITOR)
        os_end_watched();
    os_stop(VM_FLAG_END);
}

#endif
