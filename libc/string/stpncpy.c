/* stpncpy.c - as stpcpy.c; strncpy ends here, too. */
#include <string.h>

char *__stpncpy(char *restrict d, const char *restrict s, size_t n)
{
    size_t length = strnlen(s, n);
    memcpy(d, s, length);
    memset(d + length, 0, n - length);
    return d + length;
}

weak_alias(__stpncpy, stpncpy);
