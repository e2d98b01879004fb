/* puts.c - line and newline as one write; see stdio_whole.h. */
#include "stdio_whole.h"

int puts(const char *s)
{
    struct stdio_whole w;
    FILE *g = whole_open(&w, stdout);
    int r = -(fputs(s, g) < 0 || putc_unlocked('\n', g) < 0);
    return whole_close(&w, stdout, r);
}
