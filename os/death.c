/* death.c - processes that may die: the children that death tests make.  Whatever would end one
 * on a real machine ends it, and its parent sees the signal.  Any other error is one in it,
 * too. */
#include "os/mode.h"
#include "os/process.h"
#include "os/state.h"

void __os_may_die(void)
{
    struct os_thread *self = os_enter();
    os_process(self)->may_die = 1;
    os_leave();
}

bool os_may_die(void)
{
    const struct os_thread *self = os_self(); /* nobody's: no thread can go on */
    const struct os_process *process = self ? os_process(self) : NULL;
    return process && process->may_die;
}

void os_die(int fault, struct vm_frame *at)
{
    enum { ABRT = 6, FPE = 8, SEGV = 11 };
    if (!os_may_die())
        return;
    os_self()->frame = at;
    if (fault == VM_FAULT_ASSERT || fault == VM_FAULT_ABORT || fault == VM_FAULT_UNCAUGHT)
        os_process_end(ABRT, os_state()->options);
    if (fault == VM_FAULT_NULL || fault == VM_FAULT_WRITE_CONST || fault == VM_FAULT_PROTECTED)
        os_process_end(SEGV, os_state()->options);
    if (fault == VM_FAULT_DIVISION)
        os_process_end(FPE, os_state()->options);
}
