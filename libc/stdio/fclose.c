/* fclose.c - musl's, but the stream stays until nobody flushes it; see ofl.c. */
#include <stdlib.h>

#include "stdio_list.h"

int fclose(FILE *f)
{
    FLOCK(f);
    int permanent = f->flags & F_PERM;
    int r = fflush(f);
    r |= f->close(f);
    FUNLOCK(f);
    if (permanent)
        return r;
    __ofl_remove(f);
    free(f->getln_buf);
    free(f);
    return r;
}
