/* malloc.c - musl's carves up pages; on our machine an allocation is an object of
 * its own, with its own bounds and end of life. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "allocate.h"

/* Who has a malloc of its own does not get this one: see libc/cxx/new.cpp. */
extern const int __malloc_is_ours;
const int __malloc_is_ours = 1;

void *malloc(size_t n)
{
    return allocate(n, VM_OBJ_HEAP);
}

void *calloc(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / size) {
        errno = ENOMEM;
        return NULL;
    }
    void *p = malloc(n * size);
    return p ? memset(p, 0, n * size) : NULL;
}

/* Always makes a new object: a pointer to the old one must not go on working. */
void *realloc(void *p, size_t n)
{
    void *q = malloc(n);
    if (!q || !p)
        return q;
    size_t old = __divm_obj_size(p);
    memcpy(q, p, old < n ? old : n);
    __divm_obj_free(p, VM_OBJ_HEAP);
    return q;
}

void free(void *p)
{
    if (p)
        __divm_obj_free(p, VM_OBJ_HEAP);
}
