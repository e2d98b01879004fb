/* fchmod - musl's looks into /proc for a descriptor of O_PATH, which Linux and glibc refuse. */
#include <sys/stat.h>

#include "syscall.h"

int fchmod(int fd, mode_t mode)
{
    return syscall(SYS_fchmod, fd, mode);
}
