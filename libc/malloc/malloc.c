/* malloc.c - musl's carves up pages; on our machine an allocation is an object of
 * its own, with its own bounds and end of life.  Its offsets are 32 bits, so more
 * than fits into one is more than there is. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vm/hypercall.h"

#define OBJECT_MAX INT32_MAX

static int may_fail(void)
{
    const struct vm_boot *boot = (void *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    return boot->options & VM_BOOT_MALLOC_FAIL && __divm_choose(2, NULL);
}

void *malloc(size_t n)
{
    if (n > OBJECT_MAX || may_fail()) {
        errno = ENOMEM;
        return NULL;
    }
    return __divm_obj_make(n, VM_OBJ_HEAP);
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

/* always a new object: a pointer to the old one must not go on working */
void *realloc(void *p, size_t n)
{
    void *q = malloc(n);
    if (!q || !p)
        return q;
    size_t old = __divm_obj_size(p);
    memcpy(q, p, old < n ? old : n);
    __divm_obj_free(p);
    return q;
}

void free(void *p)
{
    if (p)
        __divm_obj_free(p);
}
