/* __stdio_write.c - musl's gathers buffer and text by writev; our kernel takes
 * bytes as they come, and plain writes are simpler to follow in a trace. */
#include "stdio_impl.h"

static int write_all(int fd, const unsigned char *s, size_t n)
{
    while (n) {
        ssize_t done = syscall(SYS_write, fd, s, n);
        if (done <= 0)
            return -1;
        s += done;
        n -= done;
    }
    return 0;
}

size_t __stdio_write(FILE *f, const unsigned char *s, size_t n)
{
    size_t pending = f->wpos - f->wbase;
    if (write_all(f->fd, f->wbase, pending) || write_all(f->fd, s, n)) {
        f->wpos = f->wbase = f->wend = 0;
        f->flags |= F_ERR;
        return 0;
    }
    f->wend = f->buf + f->buf_size;
    f->wpos = f->wbase = f->buf;
    return n;
}
