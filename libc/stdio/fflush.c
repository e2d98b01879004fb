/* fflush.c - musl's, but a stream without a buffer has nothing to flush and is
 * left as it is; see stdio_whole.h. */
#include "stdio_impl.h"

static FILE *volatile dummy = 0;
weak_alias(dummy, __stdout_used);
weak_alias(dummy, __stderr_used);

/* The k-th stream with something to write, or none. */
static FILE *pending(int k)
{
    FILE *f = *__ofl_lock();
    for (; f; f = f->next)
        if (f->wpos != f->wbase && k-- == 0)
            break;
    __ofl_unlock();
    return f;
}

static int flush_all(void)
{
    int r = 0;
    if (__stdout_used)
        r |= fflush(__stdout_used);
    if (__stderr_used)
        r |= fflush(__stderr_used);
    /* one that cannot be written stays pending */
    for (FILE *f; (f = pending(-r));)
        r -= fflush(f) != 0;
    return r ? EOF : 0;
}

static int flush(FILE *f)
{
    if (!f->buf_size && !f->rend)
        return 0;
    if (f->wpos != f->wbase) {
        f->write(f, 0, 0);
        if (!f->wpos)
            return EOF;
    }
    if (f->rpos != f->rend)
        f->seek(f, f->rpos - f->rend, SEEK_CUR);
    f->wpos = f->wbase = f->wend = 0;
    f->rpos = f->rend = 0;
    return 0;
}

int fflush(FILE *f)
{
    if (!f)
        return flush_all();
    FLOCK(f);
    int r = flush(f);
    FUNLOCK(f);
    return r;
}

weak_alias(fflush, fflush_unlocked);
