/* stderr.c - as stdout.c: printing does not change the stream. */
#include "stdio_impl.h"

#undef stderr

static unsigned char buf[UNGET];
hidden FILE __stderr_FILE = {
    .buf = buf + UNGET,
    .wpos = buf + UNGET,
    .wbase = buf + UNGET,
    .wend = buf + UNGET,
    .fd = 2,
    .flags = F_PERM | F_NORD,
    .lbf = EOF,
    .write = __stdio_write,
    .seek = __stdio_seek,
    .close = __stdio_close,
    .lock = -1,
};
FILE *const stderr = &__stderr_FILE;
FILE *volatile __stderr_used = &__stderr_FILE;
