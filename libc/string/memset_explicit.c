/* memset_explicit.c - C23's: a call into another file is not optimised away. */
#define _GNU_SOURCE
#include <string.h>

void *memset_explicit(void *dest, int byte, size_t n)
{
    return memset(dest, byte, n);
}
