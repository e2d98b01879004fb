/* memory.c - memory for exceptions.  libc++abi keeps some for when malloc has none, so that
 * bad_alloc can be thrown, and tells it apart by comparing addresses.  Here what would fit
 * into it is never lacking, and all of it is like malloc's. */
#include <stdlib.h>
#include <string.h>

#include "vm/hypercall.h"

enum { KEPT = 480 }; /* bytes: its 512, less what it needs itself */

void *
__exception_malloc(size_t size) __asm__("_ZN10__cxxabiv130__aligned_malloc_with_fallbackEm");
void __exception_free(void *p) __asm__("_ZN10__cxxabiv128__aligned_free_with_fallbackEPv");
void *__exception_calloc(size_t n,
                         size_t size) __asm__("_ZN10__cxxabiv122__calloc_with_fallbackEmm");
void __exception_calloc_free(void *p) __asm__("_ZN10__cxxabiv120__free_with_fallbackEPv");

void *__exception_malloc(size_t size)
{
    return size <= KEPT ? __divm_obj_make(size ? size : 1, VM_OBJ_HEAP) : malloc(size);
}

void __exception_free(void *p)
{
    free(p);
}

void *__exception_calloc(size_t n, size_t size)
{
    void *p = __exception_malloc(n * size); /* a few words */
    return p ? memset(p, 0, n * size) : NULL;
}

void __exception_calloc_free(void *p)
{
    free(p);
}
