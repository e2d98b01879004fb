/* style.c - the looks of reports: colours, names, sizes. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "checker/report/cex.h"
#include "checker/report/report.h"

const char *report_style(const struct report *report, enum report_style style)
{
    static const char *const escapes[] = {
        [STYLE_PLAIN] = "\033[0m",    [STYLE_BOLD] = "\033[1m",  [STYLE_DIM] = "\033[2m",
        [STYLE_ERROR] = "\033[1;31m", [STYLE_GOOD] = "\033[32m", [STYLE_WARN] = "\033[33m",
    };
    return report->color ? escapes[style] : "";
}

bool report_has_name(const char *object)
{
    return object && *object && !strstr(object, "kernel object") &&
           strncmp(object, "address ", 8) != 0;
}

/* Is it a lambda that is called, or destroyed, which may be all that is left of it? */
static bool is_lambda(const char *function)
{
    static const char lambda[] = "::lambda::", call[] = "operator()", end[] = "~(lambda at ";
    for (const char *at = function; (at = strstr(at, lambda));) {
        at += sizeof lambda - 1;
        if (!strcmp(at, call) || !strncmp(at, end, sizeof end - 1))
            return true;
    }
    return false;
}

void report_thread_name(char *text, size_t size, const struct cex_thread *thread)
{
    char line[32] = "", process[32] = "";
    const char *what = thread->name ? thread->name : thread->entry;
    bool unnamed = what && !thread->name && is_lambda(what);
    if (unnamed && thread->started_line)
        snprintf(line, sizeof line, ", line %u", thread->started_line);
    if (thread->process && thread->tid != 1)
        snprintf(process, sizeof process, ", child process %" PRIu64, thread->process);
    if (what)
        snprintf(text, size, "thread %" PRIu64 " (%s%s%s)", thread->tid,
                 unnamed ? "lambda" : what, line, process);
    else
        snprintf(text, size, "thread %" PRIu64 "%s", thread->tid, process);
}

void report_bytes(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    snprintf(text, size, unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

void report_count(char *text, size_t size, double count)
{
    static const double million = 1e6, billion = 1e9, trillion = 1e12, many = 1e15;
    if (count < million)
        snprintf(text, size, "%.0f", count);
    else if (count < billion)
        snprintf(text, size, "%.3g million", count / million);
    else if (count < trillion)
        snprintf(text, size, "%.3g billion", count / billion);
    else if (count < many)
        snprintf(text, size, "%.3g trillion", count / trillion);
    else
        snprintf(text, size, "10^%.0f", log10(count));
}

void report_duration(char *text, size_t size, double seconds)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{31557600, "years"}, {86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
    enum { LAST = sizeof units / sizeof *units - 1, FEWEST = 2, MOST = 1000 };
    size_t i = 0;
    while (i < LAST && seconds < FEWEST * units[i].seconds)
        i++;
    double n = seconds / units[i].seconds;
    if (n > MOST)
        snprintf(text, size, "more than %d %s", MOST, units[i].name);
    else
        snprintf(text, size, "%.0f %s", n, units[i].name);
}
