/* mprotect.c - musl's takes addresses that are not a page's, which Linux refuses. */
#include <sys/mman.h>

#include "syscall.h"

int mprotect(void *addr, size_t len, int prot)
{
    return (int)syscall(SYS_mprotect, addr, len, prot);
}
