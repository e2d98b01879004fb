/* vfwprintf.c - musl's prints to an unbuffered stream character by character; see
 * stdio_whole.h.  musl's function is compiled under the name __musl_vfwprintf. */
#include <wchar.h>

#include "stdio_whole.h"

hidden int __musl_vfwprintf(FILE *, const wchar_t *, va_list);

int vfwprintf(FILE *restrict f, const wchar_t *restrict format, va_list ap)
{
    struct stdio_whole w;
    int n = __musl_vfwprintf(whole_open(&w, f), format, ap);
    return whole_close(&w, f, n);
}
