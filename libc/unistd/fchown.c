/* fchown - like fchmod. */
#include <unistd.h>

#include "syscall.h"

int fchown(int fd, uid_t user, gid_t group)
{
    return syscall(SYS_fchown, fd, user, group);
}
