/* explicit_bzero.c - musl's keeps the store by inline assembly; a call into another
 * file is not optimised away either. */
#define _BSD_SOURCE
#include <string.h>

void explicit_bzero(void *dest, size_t n)
{
    memset(dest, 0, n);
}
