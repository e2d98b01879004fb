/* exit.c - the end of the process.  Of a child, its parent sees the status.
 *
 * Other threads may still run or wait: what they reach is no leak, nor is what
 * the functions that called exit have in their variables. */
#include "os/exit.h"
#include "os/commute.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/scheduler.h"
#include "os/state.h"
#include "os/wait.h"

static void check_status(int status)
{
    char message[64];
    os_put_number(os_put(message, "it is "), (unsigned)status & 255);
    __os_error(VM_FAULT_EXIT_STATUS, message);
}

static void check_leaks(void)
{
    const void *leak = (const void *)__divm_control(VM_REG_LEAK, VM_GET, 0);
    if (!leak)
        return;
    for (int k = 0; k < os_state()->count; k++)
        if (os_state()->thread[k]->deferred)
            os_ask_order();   /* it may have gone on, and hold nothing any more */
    if (os_state()->live > 1) /* they have it, perhaps, and do not use it any more */
        os_ask_dead();
    __divm_trace(VM_TRACE_OBJECT, &leak, sizeof leak);
    char message[64], *end;
    end = os_put_number(message, __divm_obj_size(leak));
    os_put(end, " bytes were not freed and nothing points to them");
    __os_error(VM_FAULT_LEAK, message);
}

__attribute__((weak)) _Noreturn void os_process_end(int status, uint32_t options)
{
    (void)status;
    os_end(options);
}

__attribute__((weak)) bool os_may_die(void)
{
    return false;
}

/* May the end of the process come last?  How much other threads have done shows in nothing but
 * output: the status is given, and what is leaked stays so. */
static bool may_come_last(uint32_t options)
{
    return !(options & (VM_BOOT_NO_LAST | VM_BOOT_OUTPUT));
}

_Noreturn void os_exit(int status)
{
    os_stay_late();
    struct os_thread *self = os_enter();
    if (os_is_late())
        os_await_ends();
    os_stay_late_no_more(); /* whether there were some shows in no state */
    uint32_t options = os_state()->options;
    if (may_come_last(options))
        self->wait = VM_READY_LAST;
    os_act(VM_ACT_PROCESS_EXIT, NULL, 0);
    os_commutes_begin(); /* it comes after all that others have done */
    self->frame = (struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
    bool first = !os_state()->processes || os_process(self)->number == OS_PROCESS;
    if (first && status && !(options & VM_BOOT_RUN))
        check_status(status);
    if (options & VM_BOOT_LEAKS && !os_may_die())
        check_leaks();
    if (first)
        __divm_trace(VM_TRACE_EXIT + ((status & 255) << 8), NULL, 0);
    os_process_end((status & 255) << 8, options);
}
