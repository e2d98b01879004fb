/* epoll - musl's, with the kernel's sets linked by being named. */
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>

#include "syscall.h"

long os_epoll_make(long flags);

int epoll_create1(int flags)
{
    return __syscall_ret(os_epoll_make(flags));
}

int epoll_create(int size)
{
    if (size <= 0) {
        errno = EINVAL;
        return -1;
    }
    return epoll_create1(0);
}

int epoll_ctl(int set, int operation, int fd, struct epoll_event *event)
{
    return syscall(SYS_epoll_ctl, set, operation, fd, event);
}

int epoll_pwait(int set, struct epoll_event *events, int room, int limit, const sigset_t *mask)
{
    return syscall_cp(SYS_epoll_pwait, set, events, room, limit, mask, _NSIG / 8);
}

int epoll_wait(int set, struct epoll_event *events, int room, int limit)
{
    return epoll_pwait(set, events, room, limit, NULL);
}
