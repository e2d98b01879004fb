/* stdout.c - musl's has a buffer; see stdio_whole.h.  The stream starts where
 * musl's __towrite would leave it, so that printing does not change it. */
#include "stdio_impl.h"

#undef stdout

static unsigned char buf[UNGET];
hidden FILE __stdout_FILE = {
    .buf = buf + UNGET,
    .wpos = buf + UNGET,
    .wbase = buf + UNGET,
    .wend = buf + UNGET,
    .fd = 1,
    .flags = F_PERM | F_NORD,
    .lbf = EOF,
    .write = __stdio_write,
    .seek = __stdio_seek,
    .close = __stdio_close,
    .lock = -1,
};
FILE *const stdout = &__stdout_FILE;
FILE *volatile __stdout_used = &__stdout_FILE;
