/* exit.c - musl's finds the destructors by linker symbols; ours are a table that
 * the loader makes. */
#include <stdlib.h>

#include "libc.h"
#include "os/os.h"

static void dummy(void)
{
}

/* of atexit.c and __stdio_exit.c, where they are linked */
weak_alias(dummy, __funcs_on_exit);
weak_alias(dummy, __stdio_exit);
/* of libc/cxx/thread_exit.c */
weak_alias(dummy, __call_thread_destructors);

_Noreturn void exit(int status)
{
    const struct vm_boot *boot = (void *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    __call_thread_destructors();
    __funcs_on_exit();
    os_leave(); /* it keeps its lock */
    for (void (*const *dtor)(void) = boot->dtors; dtor && *dtor; dtor++)
        (*dtor)();
    __stdio_exit();
    _Exit(status);
}
