/* __syscall_cp.c - system calls that are cancellation points.  musl's needs
 * assembly, to be cancelled in the middle of one; ours acts before it, or when the
 * kernel says that it was interrupted. */
#include "pthread_impl.h"

/* Is libpthread's, where the program can cancel threads. */
weak void __testcancel(void)
{
}

weak void __testcancel_interrupted(void)
{
}

/* The name is in brackets, since syscall.h has a macro of the same name. */
long(__syscall_cp)(long n, long a, long b, long c, long d, long e, long f)
{
    __testcancel();
    long result = __os_syscall(n, a, b, c, d, e, f);
    if (result == -EINTR)
        __testcancel_interrupted();
    return result;
}
