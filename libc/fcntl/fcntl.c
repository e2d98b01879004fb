/* fcntl.c - musl's reads an argument whether there is one or not; on our machine that
 * is an error. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "syscall.h"

static bool has_argument(int cmd)
{
    static const int without[] = {F_GETFD,    F_GETFL,      F_GETOWN,   F_GETSIG,
                                  F_GETLEASE, F_GETPIPE_SZ, F_GET_SEALS};
    for (size_t k = 0; k < sizeof without / sizeof *without; k++)
        if (cmd == without[k])
            return false;
    return true;
}

int fcntl(int fd, int cmd, ...)
{
    unsigned long arg = 0;
    if (has_argument(cmd)) {
        va_list ap;
        va_start(ap, cmd);
        arg = va_arg(ap, unsigned long);
        va_end(ap);
    }
    if (cmd == F_SETLKW)
        return syscall_cp(SYS_fcntl, fd, cmd, arg);
    return syscall(SYS_fcntl, fd, cmd, arg);
}
