/* memory.h - host memory for the machine.  There is one way to get it: the
 * machine cannot go on without, so exhaustion ends the process with one line
 * and the status of an incomplete search. */
#ifndef VM_MEMORY_H
#define VM_MEMORY_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline void *vm_resize(void *p, size_t size)
{
    p = realloc(p, size);
    if (!p && size) {
        fputs("divm: incomplete: out of memory\n", stderr);
        _exit(5);
    }
    return p;
}

static inline void *vm_alloc(size_t size)
{
    return vm_resize(NULL, size ? size : 1);
}

/* Of n things that are all zero.  Written, as a page that is looked at first would be mapped
 * twice, and all threads interrupted the second time. */
static inline void *vm_zeros(size_t n, size_t size)
{
    return memset(vm_alloc(n * size), 0, n * size);
}

#endif
