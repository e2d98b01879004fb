/* fchmodat - musl's looks into /proc where links are not to be followed; the kernel has a call
 * for that. */
#include <fcntl.h>
#include <sys/stat.h>

#include "syscall.h"

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{
    return flags ? syscall(SYS_fchmodat2, folder, path, mode, flags)
                 : syscall(SYS_fchmodat, folder, path, mode);
}
