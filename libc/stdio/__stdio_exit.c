/* __stdio_exit.c - musl's takes the locks of all streams and keeps them; ours does what
 * is left to do in the kernel, as one step with the end of the process. */
#include "os/os.h"
#include "stdio_list.h"

static FILE *volatile dummy_file = 0;
weak_alias(dummy_file, __stdin_used);
weak_alias(dummy_file, __stdout_used);
weak_alias(dummy_file, __stderr_used);

static FILE *no_list;
static FILE **dummy_list(void)
{
    return &no_list;
}
weak_alias(dummy_list, __ofl_head);

static void close_file(FILE *f)
{
    if (!f)
        return;
    if (f->wpos != f->wbase)
        f->write(f, 0, 0);
    if (f->rpos != f->rend)
        f->seek(f, f->rpos - f->rend, SEEK_CUR);
}

void __stdio_exit(void)
{
    os_enter();
    for (FILE *f = *__ofl_head(); f; f = f->next) {
        os_enter();
        close_file(f);
        os_enter();
    }
    close_file(__stdin_used);
    close_file(__stdout_used);
    close_file(__stderr_used);
    os_leave();
}

weak_alias(__stdio_exit, __stdio_exit_needed);
