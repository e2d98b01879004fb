/* memory.c - memory for exceptions.  libc++abi keeps some for when malloc has none,
 * and tells it apart by comparing addresses; ours is malloc's alone. */
#include <stdlib.h>

void *
__exception_malloc(size_t size) __asm__("_ZN10__cxxabiv130__aligned_malloc_with_fallbackEm");
void __exception_free(void *p) __asm__("_ZN10__cxxabiv128__aligned_free_with_fallbackEPv");
void *__exception_calloc(size_t n,
                         size_t size) __asm__("_ZN10__cxxabiv122__calloc_with_fallbackEmm");
void __exception_calloc_free(void *p) __asm__("_ZN10__cxxabiv120__free_with_fallbackEPv");

void *__exception_malloc(size_t size)
{
    return malloc(size ? size : 1);
}

void __exception_free(void *p)
{
    free(p);
}

void *__exception_calloc(size_t n, size_t size)
{
    return calloc(n, size);
}

void __exception_calloc_free(void *p)
{
    free(p);
}
