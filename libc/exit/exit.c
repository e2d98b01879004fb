/* exit.c - musl's finds the destructors by linker symbols; ours are a table that
 * the loader makes.  Who calls exit while another thread is in it waits for the end
 * (POSIX.1-2024). */
#include <stdlib.h>

#include "libc.h"
#include "os/mode.h"
#include "os/reading.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/wait.h"

static void dummy(void)
{
}

hidden int __exit_status; /* for on_exit's functions; of whoever is in exit */

/* Functions of atexit.c and __stdio_exit.c, where these are linked. */
weak_alias(dummy, __funcs_on_exit);
weak_alias(dummy, __stdio_exit);
/* A function of libc/cxx/thread_exit.c. */
weak_alias(dummy, __call_thread_destructors);

/* Lets the first thread that calls exit go on; from then on others wait.  A handler may call
 * exit again.  In a child nobody is in exit but the thread that forked. */
static void come_first(void)
{
    static int busy; /* OS_LISTED: a thread is in exit, and has this word listed */
    struct os_thread *self = os_enter();
    if (!reading_has(self, &busy)) {
        const struct os_thread *holder = os_holder(&busy, self);
        if (!holder)
            busy = 0;
        os_wait_held(VM_ACT_LOCK, &busy, sizeof busy, &busy, OS_WHILE_NONZERO | OS_HOLDER,
                     holder);
        busy = OS_LISTED;
        reading_add(self, &busy);
    }
    os_leave();
}

/* Runs destructors in the order opposite to that of constructors: the highest priority's first,
 * and of one priority the last. */
static void run_destructors(void (*const *list)(void))
{
    size_t n = 0;
    while (list && list[n])
        n++;
    while (n)
        list[--n]();
}

_Noreturn void exit(int status)
{
    const struct vm_boot *boot = (void *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    if (__funcs_on_exit != dummy || (boot->dtors && *boot->dtors))
        come_first();
    __call_thread_destructors();
    if (__funcs_on_exit != dummy)
        __exit_status = status;
    __funcs_on_exit();
    os_leave(); /* it keeps its lock */
    run_destructors(boot->dtors);
    __stdio_exit();
    _Exit(status);
}
