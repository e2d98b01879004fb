/* abort.c - musl's raises SIGABRT; ours is an error of its own kind.
 * __libc_crash is where musl's own checks end. */
#include <stdlib.h>

#include "os_error.h"

_Noreturn void abort(void)
{
    __os_error(VM_FAULT_ABORT, "abort() called");
}

_Noreturn void __libc_crash(void)
{
    __os_error(VM_FAULT_ABORT, "the C library found its data corrupted");
}
