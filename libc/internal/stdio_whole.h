/* stdio_whole.h - one write for each call on an unbuffered stream.
 *
 * What a program prints is trace, not state: standard output and error have no
 * buffer, and a call that prints in pieces does so on a private copy of the
 * stream with a buffer on the stack.  So a stream never changes, two threads can
 * be inside printf without meeting, and the kernel sees whole writes.  Streams that
 * do change have a lock, and are looked at under it only. */
#ifndef STDIO_WHOLE_H
#define STDIO_WHOLE_H

#include "stdio_impl.h"

struct stdio_whole {
    FILE copy;
    unsigned char buf[BUFSIZ];
    int locked; /* by whole_open */
};

/* Returns the stream to print on: f itself if it has a buffer, else the copy. */
static inline FILE *whole_open(struct stdio_whole *w, FILE *f)
{
    w->locked = __lockfile(f);
    if (f->buf_size)
        return f;
    w->copy = *f;
    w->copy.lock = -1;
    w->copy.buf = w->buf;
    w->copy.buf_size = sizeof w->buf;
    w->copy.wpos = w->copy.wbase = w->copy.wend = 0;
    w->copy.flags &= ~F_ERR;
    return &w->copy;
}

/* Hands over what is in the copy; false if that failed. */
static inline int whole_write(FILE *g)
{
    if (g->wpos != g->wbase)
        g->write(g, 0, 0);
    return !(g->flags & F_ERR);
}

/* Returns the result, or -1 if the copy's text could not be handed over. */
static inline int whole_close(struct stdio_whole *w, FILE *f, int result)
{
    if (!f->buf_size && !whole_write(&w->copy)) {
        f->flags |= F_ERR;
        result = -1;
    }
    if (w->locked)
        __unlockfile(f);
    return result;
}

#endif
