/* wmemmove.c - musl's looks at where the two are, and at nothing else if that is the same. */
#include <string.h>
#include <wchar.h>

wchar_t *wmemmove(wchar_t *d, const wchar_t *s, size_t n)
{
    return memmove(d, s, n * sizeof *d);
}
