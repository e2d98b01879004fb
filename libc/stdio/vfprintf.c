/* vfprintf.c - musl's prints to an unbuffered stream in pieces of 80 bytes, by
 * lending the stream a buffer; see stdio_whole.h for ours.  musl's function is
 * compiled under the name __musl_vfprintf. */
#include "stdio_whole.h"

hidden int __musl_vfprintf(FILE *, const char *, va_list);

int vfprintf(FILE *restrict f, const char *restrict format, va_list ap)
{
    struct stdio_whole w;
    int n = __musl_vfprintf(whole_open(&w, f), format, ap);
    return whole_close(&w, f, n);
}
