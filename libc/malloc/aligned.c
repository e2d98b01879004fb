/* aligned.c - musl's overallocates; an object of ours starts at an address that is
 * aligned to 2^32 anyway. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "vm/hypercall.h"

void *aligned_alloc(size_t align, size_t n)
{
    if (align & (align - 1)) {
        errno = EINVAL;
        return NULL;
    }
    return malloc(n);
}

void *memalign(size_t align, size_t n)
{
    return aligned_alloc(align, n);
}

int posix_memalign(void **res, size_t align, size_t n)
{
    if (align < sizeof(void *) || align & (align - 1))
        return EINVAL;
    int old = errno;
    void *p = malloc(n);
    errno = old;
    if (!p)
        return ENOMEM;
    *res = p;
    return 0;
}

size_t malloc_usable_size(void *p)
{
    return p ? __divm_obj_size(p) : 0;
}
