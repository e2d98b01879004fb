/* async.c - linked where threads can be interrupted, see os_async: the end of a thread is then
 * visible, since a signal or pthread_cancel may come just before it. */
#include "os/commute.h"
#include "os/state.h"

const int os_interruptible = 1;

void os_async(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_INTERRUPTS);
}
