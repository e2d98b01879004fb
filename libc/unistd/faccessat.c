/* faccessat.c - musl's may make a process to try with other rights; there is one user. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "syscall.h"

int faccessat(int fd, const char *name, int mode, int flag)
{
    if (flag & ~AT_EACCESS) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_faccessat, fd, name, mode);
}
