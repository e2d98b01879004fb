/* memset.c - musl's writes words; the machine has an instruction. */
#include <string.h>

void *memset(void *dest, int c, size_t n)
{
    __builtin_memset(dest, c, n);
    return dest;
}
