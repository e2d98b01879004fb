/* faccessat - musl's may make a process to try with other rights; there is one user. */
#include <unistd.h>

#include "syscall.h"

int faccessat(int fd, const char *name, int mode, int flags)
{
    return flags ? syscall(SYS_faccessat2, fd, name, mode, flags)
                 : syscall(SYS_faccessat, fd, name, mode);
}
