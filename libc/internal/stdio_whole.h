/* stdio_whole.h - one write for each call on an unbuffered stream.
 *
 * What a program prints is trace, not state: standard output and error have no
 * buffer, and a call that prints in pieces does so on a private copy of the
 * stream with a buffer on the stack.  So a stream never changes, two threads can
 * be inside printf without meeting, and the kernel sees whole writes. */
#ifndef STDIO_WHOLE_H
#define STDIO_WHOLE_H

#include "stdio_impl.h"

struct stdio_whole {
    FILE copy;
    unsigned char buf[BUFSIZ];
};

/* The stream to print on: f itself if it has a buffer, else the copy. */
static inline FILE *whole_open(struct stdio_whole *w, FILE *f)
{
    if (f->buf_size)
        return f;
    w->copy = *f;
    w->copy.buf = w->buf;
    w->copy.buf_size = sizeof w->buf;
    w->copy.wpos = w->copy.wbase = w->copy.wend = 0;
    w->copy.flags &= ~F_ERR;
    return &w->copy;
}

/* Hands over what was printed; -1 if that failed, else result. */
static inline int whole_close(struct stdio_whole *w, FILE *f, int result)
{
    if (f->buf_size)
        return result;
    FILE *g = &w->copy;
    if (g->wpos != g->wbase)
        g->write(g, 0, 0);
    if (!(g->flags & F_ERR))
        return result;
    f->flags |= F_ERR;
    return -1;
}

#endif
