/* setvbuf.c - musl's, but standard output and error stay without a buffer: what
 * is printed is handed over at once; see stdio_whole.h.  A buffer that is not used is
 * the stream's all the same, and so no leak. */
#include "stdio_impl.h"

/* Streams with a descriptor have no other use for the cookie. */
static void keep(FILE *f, char *buf, int type)
{
    if (f->fd >= 0 && (buf || type == _IONBF))
        f->cookie = type == _IONBF ? NULL : buf;
}

int setvbuf(FILE *restrict f, char *restrict buf, int type, size_t size)
{
    if (type != _IONBF && type != _IOLBF && type != _IOFBF)
        return -1;
    keep(f, buf, type);
    if (f->fd == 1 || f->fd == 2)
        return 0;
    f->lbf = EOF;
    if (type == _IONBF) {
        f->buf_size = 0;
    } else {
        if (buf && size >= UNGET) {
            f->buf = (unsigned char *)buf + UNGET;
            f->buf_size = size - UNGET;
        }
        if (type == _IOLBF && f->buf_size)
            f->lbf = '\n';
    }
    f->flags |= F_SVB;
    return 0;
}
