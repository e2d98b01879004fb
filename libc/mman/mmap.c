/* mmap.c - musl's tells errors from addresses by comparing numbers; to look at addresses
 * costs the symmetry of the heap. */
#include <errno.h>
#include <sys/mman.h>

#include "syscall.h"
#include "vm/hypercall.h"

void *mmap(void *start, size_t len, int prot, int flags, int fd, off_t off)
{
    long ret = __syscall(SYS_mmap, start, len, prot, flags, fd, off);
    if (__divm_obj_size((void *)ret) != (size_t)-1)
        return (void *)ret;
    errno = -ret;
    return MAP_FAILED;
}

weak_alias(mmap, mmap64);
