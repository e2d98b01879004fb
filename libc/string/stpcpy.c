/* stpcpy.c - musl's copies as it looks for the end; here memcpy sees the whole range, and so
 * that it overlaps the string.  strcpy and strcat end here, too. */
#include <string.h>

char *__stpcpy(char *restrict d, const char *restrict s)
{
    size_t n = strlen(s);
    memcpy(d, s, n + 1);
    return d + n;
}

weak_alias(__stpcpy, stpcpy);
