/* getc.h - musl's takes the stream's lock; there is none, see flockfile.c. */
#include "stdio_impl.h"

static inline int do_getc(FILE *f)
{
    return getc_unlocked(f);
}
