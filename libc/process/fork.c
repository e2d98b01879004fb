/* fork - musl's takes the locks of the C library, which here are sections of the
 * kernel.  vfork is fork, as POSIX allows. */
#include <unistd.h>

#include "libc.h"
#include "os_error.h"
#include "syscall.h"

long os_fork(void);

static void dummy(int who)
{
    (void)who;
}
/* Is replaced by libpthread/atfork.c, where that is linked. */
weak_alias(dummy, __fork_handler);

pid_t _Fork(void)
{
    return __syscall_ret(os_fork());
}

pid_t fork(void)
{
    __fork_handler(-1);
    pid_t result = _Fork();
    __fork_handler(!result);
    return result;
}

weak_alias(fork, vfork);
