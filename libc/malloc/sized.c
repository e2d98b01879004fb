/* sized.c - C23's functions that say how large a block is: another size is an error. */
#define _GNU_SOURCE
#include <stddef.h>
#include <stdlib.h>

#include "vm/hypercall.h"

/* A program may have a malloc of its own: see libc/cxx/new.h. */
extern const int __malloc_is_ours;
weak const int __malloc_is_ours = 0;

void free_sized(void *p, size_t size)
{
    if (!p)
        return;
    if (__malloc_is_ours)
        __divm_obj_free(p, VM_OBJ_HEAP | VM_OBJ_SIZED | size << VM_OBJ_DETAIL);
    else
        free(p);
}

void free_aligned_sized(void *p, size_t align, size_t size)
{
    (void)align; /* any block is aligned to more */
    free_sized(p, size);
}
