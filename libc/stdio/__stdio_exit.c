/* __stdio_exit.c - writes what streams still have at the end of the process, under their locks,
 * since other threads may use them meanwhile.  musl's waits for all locks; ours only where
 * something is left to be written: a thread that reads may wait for ever, and keeps no process
 * from its end. */
#include "os/mode.h"
#include "os/state.h"
#include "os/stuck.h"
#include "stdio_list.h"

static FILE *volatile dummy_file = 0;
weak_alias(dummy_file, __stdin_used);
weak_alias(dummy_file, __stdout_used);
weak_alias(dummy_file, __stderr_used);

/* A function of ofl.c, where streams can be opened. */
static FILE *no_next(FILE *f)
{
    (void)f;
    return NULL;
}
weak_alias(no_next, __ofl_next);

/* Locks a stream; false if another thread is reading.  A child has only the thread that forked:
 * what another had locked is nobody's there. */
static bool lock(FILE *f)
{
    if (!ftrylockfile(f))
        return true;
    const struct os_thread *self = os_enter();
    bool written = f->wpos != f->wbase, held = os_holder((const int *)&f->lock, self);
    os_leave();
    if (written && held)
        flockfile(f);
    return written;
}

static void finish(FILE *f)
{
    if (!f || !lock(f))
        return;
    if (f->wpos != f->wbase)
        f->write(f, 0, 0);
    if (f->rpos != f->rend)
        f->seek(f, f->rpos - f->rend, SEEK_CUR);
    funlockfile(f);
}

void __stdio_exit(void)
{
    for (FILE *f = __ofl_next(NULL); f; f = __ofl_next(f))
        finish(f);
    finish(__stdin_used);
    finish(__stdout_used);
    finish(__stderr_used);
}

weak_alias(__stdio_exit, __stdio_exit_needed);
