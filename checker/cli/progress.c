/* progress.c - one line on standard error: redrawn on a terminal, every 30 s
 * elsewhere, and whenever SIGUSR1 asks for it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/cli/progress.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "checker/search/interrupt.h"

void progress_init(struct progress *progress, int choice)
{
    enum { AUTO, NEVER, PLAIN };
    const char *term = getenv("TERM");
    bool terminal = isatty(STDERR_FILENO) && term && strcmp(term, "dumb") != 0;
    *progress = (struct progress){0};
    if (choice == NEVER)
        progress->mode = PROGRESS_NEVER;
    else
        progress->mode = choice == AUTO && terminal ? PROGRESS_REDRAW : PROGRESS_LINES;
}

void progress_watch(void *context, const struct check_progress *now)
{
    static const double every[] = {
        [PROGRESS_NEVER] = 1e300, [PROGRESS_REDRAW] = 0.2, [PROGRESS_LINES] = 30};
    struct progress *progress = context;
    bool asked = atomic_exchange_explicit(&check_asked, 0, memory_order_relaxed);
    atomic_store_explicit(&progress->states, now->states, memory_order_relaxed);
    if (!asked && now->seconds - progress->last < every[progress->mode])
        return;
    bool redraw = progress->mode == PROGRESS_REDRAW && !asked;
    progress->last = now->seconds;
    char bytes[32];
    report_bytes(bytes, sizeof bytes, (double)now->bytes);
    double seconds = now->seconds > 1e-6 ? now->seconds : 1e-6;
    fprintf(stderr, "%s%" PRIu64 " states, %.0f/s, %" PRIu64 " open, depth %u, %s, %.0f s%s",
            progress->drawn ? "\r" : "", now->states, (double)now->states / seconds, now->open,
            now->depth, bytes, now->seconds, redraw ? "\033[K" : "\n");
    fflush(stderr);
    progress->drawn = redraw;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
