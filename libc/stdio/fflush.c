/* fflush.c - musl's, but a stream without a buffer has nothing to flush and is
 * left as it is; see stdio_whole.h. */
#include "stdio_list.h"

static FILE *volatile dummy = 0;
weak_alias(dummy, __stdout_used);
weak_alias(dummy, __stderr_used);

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

/* Flushes a stream that is written; one that is read is left as it is. */
static int flush_written(FILE *f)
{
    FLOCK(f);
    int r = f->wpos != f->wbase ? flush(f) : 0;
    FUNLOCK(f);
    return r;
}

static int flush_all(void)
{
    int r = 0;
    if (__stdout_used)
        r |= fflush(__stdout_used);
    if (__stderr_used)
        r |= fflush(__stderr_used);
    for (FILE *f = __ofl_next(NULL); f; f = __ofl_next(f))
        r |= flush_written(f);
    return r;
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
