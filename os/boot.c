/* boot.c - the first transition: the kernel's state and the main thread.
 *
 * libc's __libc_main runs constructors, main and exit, on the main thread. */
#include "os/error.h"
#include "os/mode.h"
#include "os/scheduler.h"
#include "os/state.h"
#include "os/thread.h"

_Noreturn void __libc_main(const struct vm_boot *boot);
void __boot(void);

static const struct vm_boot *boot_record(void)
{
    return (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
}

static void run_main(os_function *start, void *arg)
{
    (void)start;
    (void)arg;
    __libc_main(boot_record());
}

void __boot(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL);
    struct os_state *state = __divm_obj_make(sizeof *state, OS_STABLE(1));
    *state = (struct os_state){.options = boot_record()->options};
    __divm_control(VM_REG_STATE, VM_SET, (uint64_t)state);
    __divm_control(VM_REG_SCHEDULER, VM_SET, (uint64_t)os_scheduler);
    __divm_control(VM_REG_FAULT, VM_SET, (uint64_t)os_fault);
    if (__divm_control(VM_REG_FLAGS, VM_GET, 0) & VM_FLAG_MONITOR) {
        state->special += OS_MONITORED;
        state->options |= VM_BOOT_MONITOR;
    }
    os_thread_make(run_main, NULL, NULL, false);
    os_stop(0);
}
