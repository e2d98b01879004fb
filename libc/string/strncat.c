/* strncat.c - as stpcpy.c. */
#include <string.h>

char *strncat(char *restrict d, const char *restrict s, size_t n)
{
    size_t length = strnlen(s, n);
    char *end = d + strlen(d);
    memcpy(end, s, length < n ? length + 1 : n);
    end[length] = 0;
    return d;
}
