/* fchmodat - musl's looks into /proc, so as not to follow links; there are none. */
#include <fcntl.h>
#include <sys/stat.h>

#include "syscall.h"

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
    if (flags & ~AT_SYMLINK_NOFOLLOW)
        return __syscall_ret(-EINVAL);
    return syscall(SYS_fchmodat, folder, path, mode, 0);
}
