/* fcntl.c - musl's reads an argument whether there is one or not; on our machine that
 * is an error. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>

#include "syscall.h"

int fcntl(int fd, int cmd, ...)
{
    unsigned long arg = 0;
    if (cmd != F_GETFD && cmd != F_GETFL && cmd != F_GETOWN) {
        va_list ap;
        va_start(ap, cmd);
        arg = va_arg(ap, unsigned long);
        va_end(ap);
    }
    if (cmd == F_SETLKW)
        return syscall_cp(SYS_fcntl, fd, cmd, arg);
    return syscall(SYS_fcntl, fd, cmd, arg);
}
