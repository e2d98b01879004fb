/* progress.c - one line on standard error: redrawn on a terminal, every 30 s
 * elsewhere, and whenever SIGUSR1 asks for it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "checker/cli/progress.h"
#include "checker/memory.h"
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

static void put_states(FILE *out, const struct check_progress *now, double seconds)
{
    fprintf(out, "%" PRIu64 " states, %.0f/s, %" PRIu64 " open, ", now->states,
            (double)now->states / seconds, now->open);
    if (now->growth > 0)
        fprintf(out, "level %" PRIu64, now->level);
    if (now->growth > 0 && now->run_length > 0)
        fprintf(out, " (runs have %.0f)", now->run_length);
    if (now->growth > 1)
        fprintf(out, " growing %.1f times, ", now->growth);
    else if (now->growth > 0)
        fprintf(out, " shrinking to %.2f, ", now->growth);
    else
        fprintf(out, "depth %u, ", now->depth);
}

static void put_executions(FILE *out, const struct check_progress *now, double seconds)
{
    fprintf(out, "%" PRIu64 " executions, ", now->executions);
    if (!now->by_states)
        fprintf(out, "%.0f/s, depth %u, ", (double)now->executions / seconds, now->depth);
}

/* Prints how many there seem to be: " (2.6 million to 9.9 million states)". */
static void put_spread(FILE *out, const struct check_forecast *all, const char *what)
{
    char least[32], most[32];
    report_count(least, sizeof least, all->least);
    report_count(most, sizeof most, all->most);
    fprintf(out, " (%s to %s %s)", least, most, what);
}

/* Prints the time that is left, if it is known: "20 s to 3 min left". */
static void put_left(FILE *out, const struct check_progress *now)
{
    char least[32], most[32];
    if (!(now->most_left < HUGE_VAL))
        return;
    report_duration(least, sizeof least, now->least_left);
    report_duration(most, sizeof most, now->most_left);
    if (strcmp(least, most) != 0)
        fprintf(out, ", %s to %s left", least, most);
    else
        fprintf(out, ", about %s left", most);
    if (now->states_in_all.all)
        put_spread(out, &now->states_in_all, "states");
    else
        put_spread(out, &now->executions_in_all, "executions");
}

/* Returns the text of the line, malloc'ed. */
static char *text_of(const struct check_progress *now)
{
    char *line = NULL, bytes[32];
    size_t size;
    double seconds = now->seconds > 1e-6 ? now->seconds : 1e-6;
    FILE *out = check_text_stream(&line, &size);
    if (now->runs)
        fprintf(out, "%" PRIu64 " runs, %.0f/s, %" PRIu64 " final states, ", now->runs,
                (double)now->runs / seconds, now->states);
    if (now->by_states)
        put_states(out, now, seconds);
    if (now->by_executions)
        put_executions(out, now, seconds);
    report_bytes(bytes, sizeof bytes, (double)now->bytes);
    fprintf(out, "%s, %.0f s", bytes, now->seconds);
    put_left(out, now);
    fclose(out);
    return line;
}

/* Returns the width of the terminal.  A longer line would be broken, and its first part left
 * there. */
static size_t terminal_width(void)
{
    enum { DEFAULT = 80, LEAST = 20 };
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= LEAST ? size.ws_col
                                                                                : DEFAULT;
}

#define SET(to, from) atomic_store_explicit(&(to), (from), memory_order_relaxed)
#define GET(from) atomic_load_explicit(&(from), memory_order_relaxed)

static void keep(struct progress_counts *counts, const struct check_progress *now)
{
    SET(counts->runs, now->runs);
    SET(counts->states, now->states);
    SET(counts->transitions, now->transitions);
    SET(counts->open, now->open);
    SET(counts->level, now->level);
    SET(counts->executions, now->executions);
    SET(counts->bytes, now->bytes);
    SET(counts->depth, now->depth);
}

void progress_result(const struct progress *progress, struct check_result *result)
{
    const struct progress_counts *counts = &progress->counts;
    result->sampled.runs = GET(counts->runs);
    result->stats.states = GET(counts->states);
    result->stats.transitions = GET(counts->transitions);
    result->open = GET(counts->open);
    result->proven = GET(counts->level);
    result->stats.executions = GET(counts->executions);
    result->stats.peak_bytes = GET(counts->bytes);
    result->stats.depth = GET(counts->depth);
}

void progress_watch(void *context, const struct check_progress *now)
{
    static const double every[] = {
        [PROGRESS_NEVER] = 1e300, [PROGRESS_REDRAW] = 0.2, [PROGRESS_LINES] = 30};
    struct progress *progress = context;
    bool asked = atomic_exchange_explicit(&check_asked, 0, memory_order_relaxed);
    keep(&progress->counts, now);
    if (!asked && now->seconds - progress->last < every[progress->mode])
        return;
    bool redraw = progress->mode == PROGRESS_REDRAW && !asked;
    progress->last = now->seconds;
    char *line = text_of(now);
    size_t room = redraw ? terminal_width() - 1 : strlen(line);
    fprintf(stderr, "%s%.*s%s", progress->drawn ? "\r" : "", (int)room, line,
            redraw ? "\033[K" : "\n");
    free(line);
    fflush(stderr);
    progress->drawn = redraw;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn)
        fputs("\r\033[K", stderr);
    progress->drawn = false;
}
