/* ioctl.c - nothing of ours is a terminal or the like; musl's translates old requests,
 * and reads an argument whether there is one or not. */
#include <stdarg.h>
#include <stddef.h>
#include <sys/ioctl.h>

#include "syscall.h"

int ioctl(int fd, int request, ...)
{
    void *argument = NULL;
    if (request == FIONREAD || request == FIONBIO) {
        va_list list;
        va_start(list, request);
        argument = va_arg(list, void *);
        va_end(list);
    }
    return syscall(SYS_ioctl, fd, request, argument);
}
