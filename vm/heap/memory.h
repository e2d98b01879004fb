/* memory.h - host memory for the machine.  There is one way to get it, and the machine cannot
 * go on without: where there is none, the thread never comes back (struct vm_relief). */
#ifndef VM_MEMORY_H
#define VM_MEMORY_H

#include <stdlib.h>
#include <string.h>

#include "vm/vm.h"

/* Allocations of so many bytes ask first whether there may be more. */
enum { VM_LARGE = 1 << 20 };

static inline void *vm_resize(void *p, size_t size)
{
    if (__builtin_expect(size >= VM_LARGE, 0) && !vm_has_room(size))
        vm_exhausted();
    p = realloc(p, size);
    if (__builtin_expect(!p && size, 0))
        vm_exhausted();
    return p;
}

static inline void *vm_alloc(size_t size)
{
    return vm_resize(NULL, size ? size : 1);
}

/* Memory for n items of `size` bytes, all zero.  It is written here: a page that is read first
 * would be mapped twice, and all threads interrupted the second time. */
static inline void *vm_zeros(size_t n, size_t size)
{
    return memset(vm_alloc(n * size), 0, n * size);
}

#endif
