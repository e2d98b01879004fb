/* __stdio_read.c - musl's scatters by readv; ours reads once, through the buffer
 * if there is one. */
#include <string.h>

#include "stdio_impl.h"

size_t __stdio_read(FILE *f, unsigned char *s, size_t n)
{
    unsigned char *to = f->buf_size ? f->buf : s;
    ssize_t got = syscall(SYS_read, f->fd, to, f->buf_size ? f->buf_size : n);
    if (got <= 0) {
        f->flags |= got ? F_ERR : F_EOF;
        return 0;
    }
    if (to == s)
        return got;
    size_t k = (size_t)got < n ? (size_t)got : n;
    memcpy(s, to, k);
    f->rpos = to + k;
    f->rend = to + got;
    return k;
}
