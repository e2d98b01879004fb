/* ioctl.c - nothing of ours is a terminal or the like; musl's translates old requests,
 * and reads an argument whether there is one or not. */
#include <sys/ioctl.h>

#include "syscall.h"

int ioctl(int fd, int req, ...)
{
    return syscall(SYS_ioctl, fd, req);
}
