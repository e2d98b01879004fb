/* report.c - the report as text. */
#include "report.h"
#include "checker/search/spill.h"

#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "store/store.h"

const char *report_style(const struct report *report, enum report_style style)
{
    static const char *const escapes[] = {
        [STYLE_PLAIN] = "\033[0m",    [STYLE_BOLD] = "\033[1m",  [STYLE_DIM] = "\033[2m",
        [STYLE_ERROR] = "\033[1;31m", [STYLE_GOOD] = "\033[32m", [STYLE_WARN] = "\033[33m",
    };
    return report->color ? escapes[style] : "";
}

const char *report_basename(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool report_has_name(const char *object)
{
    return object && *object && !strstr(object, "kernel object") &&
           strncmp(object, "address ", 8) != 0;
}

void report_thread_name(char *text, size_t size, const struct cex_thread *thread)
{
    if (thread->entry)
        snprintf(text, size, "thread %" PRIu64 " (%s)", thread->tid, thread->entry);
    else
        snprintf(text, size, "thread %" PRIu64, thread->tid);
}

void report_bytes(char *text, size_t size, double bytes)
{
    static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < sizeof units / sizeof *units; unit++)
        bytes /= 1000;
    snprintf(text, size, unit && bytes < 100 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

/* ---- the error ------------------------------------------------------------------- */

static void append_place(FILE *text, const char *before, const struct cex_place *place)
{
    if (!place)
        return;
    fprintf(text, "%s%s", before, place->function);
    if (place->line)
        fprintf(text, " at %s:%u", report_basename(place->file), place->line);
}

static void append_deadlocked(FILE *text, const struct cex *cex)
{
    const char *before = ": ";
    for (size_t i = 0; i < cex->nthreads; i++) {
        const struct cex_thread *thread = &cex->threads[i];
        if (thread->state != CEX_WAITING)
            continue;
        append_place(text, before, cex_user_place(&thread->stack));
        before = ", ";
    }
}

/* Whether the machine's message has said already where it was. */
static bool names_place(const char *message, const struct cex_place *place)
{
    char where[512];
    snprintf(where, sizeof where, "%s at %s:%u", place->function, report_basename(place->file),
             place->line);
    return strstr(message, where);
}

/* Of what is leaked it matters where it was made. */
static void append_made(FILE *text, const struct cex *cex)
{
    const struct cex_side *made = cex_allocation(cex);
    const struct cex_place *place = made ? cex_user_place(&made->stack) : NULL;
    if (place)
        fprintf(text, ", allocated at %s:%u", report_basename(place->file), place->line);
}

char *report_headline(const struct cex *cex)
{
    char *line = NULL, *error = cex_error_text(cex);
    size_t size;
    FILE *text = open_memstream(&line, &size);
    if (!text)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    fputs(error, text);
    if (cex->kind == VM_FAULT_LEAK)
        append_made(text, cex);
    const struct cex_place *place = cex_user_place(&cex->stack);
    if (cex->kind == VM_FAULT_DEADLOCK) {
        append_deadlocked(text, cex);
    } else if (place && !names_place(error, place)) {
        append_place(text, " (", place);
        fputc(')', text);
    }
    fclose(text);
    free(error);
    return line;
}

/* What a waiting thread waits for, in words. */
static void print_wait(const struct report *report, const struct cex_thread *thread)
{
    static const char *const words[VM_ACT_COUNT] = {
        [VM_ACT_JOIN] = "waits to join",
        [VM_ACT_COND_WAIT] = "waits on condition variable",
        [VM_ACT_COND_TIMEDWAIT] = "waits on condition variable",
        [VM_ACT_COND_WAKE] = "was woken up and waits to lock again",
        [VM_ACT_BARRIER] = "waits at barrier",
        [VM_ACT_BARRIER_LEAVE] = "waits at barrier",
        [VM_ACT_SEM_WAIT] = "waits for semaphore",
        [VM_ACT_WAIT] = "waits for a child",
        [VM_ACT_SIGNAL] = "waits for a signal",
        [VM_ACT_SYSCALL] = "waits in a system call",
        [VM_ACT_PROCESS_EXIT] = "is about to end the process",
        [VM_ACT_ATOMIC] = "waits for the end of an atomic section",
    };
    const char *phrase = words[thread->action], *call = cex_call(&thread->stack);
    if (thread->action == VM_ACT_SYSCALL && call)
        fprintf(report->out, " waits in %s", call);
    else if (phrase)
        fprintf(report->out, " %s", phrase);
    else
        fprintf(report->out, " waits to %s", vm_action_text(thread->action));
    if (thread->action == VM_ACT_JOIN && thread->owner)
        fprintf(report->out, " thread %" PRIu64, thread->owner);
    else if (report_has_name(thread->object))
        fprintf(report->out, " %s", thread->object);
    if (thread->owner && thread->action != VM_ACT_JOIN)
        fprintf(report->out, ", held by thread %" PRIu64, thread->owner);
}

static bool is_told(const struct report *report, const struct cex_place *place)
{
    return report->trace == REPORT_FULL || (!place->library && place->line);
}

static bool is_any_told(const struct report *report, const struct cex_stack *stack)
{
    for (size_t i = 0; i < stack->n; i++)
        if (is_told(report, &stack->places[i]))
            return true;
    return false;
}

/* Of a recursion, calls from the same place are told once. */
static size_t count_alike(const struct cex_stack *stack, size_t first)
{
    const struct cex_place *place = &stack->places[first];
    size_t n = 1;
    while (first + n < stack->n && stack->places[first + n].line == place->line &&
           !strcmp(stack->places[first + n].function, place->function) &&
           !strcmp(stack->places[first + n].file, place->file))
        n++;
    return n;
}

/* The user's part of a stack: library functions above and below it are left out, unless a
 * thread has failed where there is nothing else. */
static void print_stack(const struct report *report, const struct cex_stack *stack, bool failed)
{
    const char *before = "at";
    bool own = !failed || is_any_told(report, stack);
    for (size_t i = 0, times; i < stack->n; i += times) {
        const struct cex_place *place = &stack->places[i];
        times = count_alike(stack, i);
        if (own ? !is_told(report, place) : !place->line)
            continue;
        fprintf(report->out, "      %s %s", before, place->function);
        if (place->line)
            fprintf(report->out, " (%s:%u)", place->file, place->line);
        if (times > 1)
            fprintf(report->out, ", %zu times", times);
        fputc('\n', report->out);
        before = "called by";
    }
}

/* When main has returned, so that nothing of the program's own is on the stack. */
static bool is_told_at_end(enum vm_fault_kind kind)
{
    return kind == VM_FAULT_LEAK || kind == VM_FAULT_EXIT_STATUS;
}

static void print_thread(const struct report *report, const struct cex *cex,
                         const struct cex_thread *thread)
{
    char name[128];
    bool failed = cex_has_failed(cex, thread);
    bool ended = failed && is_told_at_end(cex->kind) && !is_any_told(report, &cex->stack);
    report_thread_name(name, sizeof name, thread);
    fprintf(report->out, "  %s%s%s", report_style(report, STYLE_BOLD), name,
            report_style(report, STYLE_PLAIN));
    if (ended)
        fputs(" has ended the process", report->out);
    else if (failed)
        fprintf(report->out, " %sfailed%s", report_style(report, STYLE_ERROR),
                report_style(report, STYLE_PLAIN));
    else if (thread->state == CEX_FINISHED)
        fputs(" has finished", report->out);
    else if (thread->action != VM_ACT_NONE && thread->state == CEX_WAITING)
        print_wait(report, thread);
    else
        fputs(" could go on", report->out);
    fputc('\n', report->out);
    if (!ended && (failed || thread->state != CEX_FINISHED))
        print_stack(report, failed && cex->stack.n ? &cex->stack : &thread->stack, failed);
    for (size_t i = 0; i < cex->nlocks; i++)
        if (cex->locks[i].tid == thread->tid && report_has_name(cex->locks[i].object))
            fprintf(report->out, "      holds %s\n", cex->locks[i].object);
}

/* The other side of a race: its thread has gone on since. */
static void print_other(const struct report *report, const struct cex *cex)
{
    static const char *const words[][2] = {
        {"read", "had read it"},
        {"write", "had written it"},
        {"free", "had freed it"},
        {"end", "had ended it"},
    };
    const struct cex_side *side = cex_other(cex);
    const struct cex_thread *thread = side ? cex_thread(cex, side->tid) : NULL;
    char name[128];
    if (!thread)
        return;
    report_thread_name(name, sizeof name, thread);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(side->what, words[i][0]))
            fprintf(report->out, "  %s%s%s %s\n", report_style(report, STYLE_BOLD), name,
                    report_style(report, STYLE_PLAIN), words[i][1]);
    print_stack(report, &side->stack, false);
}

static void print_output(const struct report *report, const struct cex *cex)
{
    bool any = false, newline = true;
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *event = &cex->events[i];
        if (event->kind != CEX_OUTPUT || !event->len)
            continue;
        if (!any)
            fputs("\nOutput of the program:\n\n", report->out);
        any = true;
        for (size_t k = 0; k < event->len; k++) {
            unsigned char c = (unsigned char)event->text[k];
            if (newline)
                fputs("  ", report->out);
            newline = c == '\n';
            if (c >= ' ' || newline || c == '\t')
                fputc(c, report->out);
            else
                fprintf(report->out, "\\x%02x", c);
        }
    }
    if (!newline)
        fputc('\n', report->out);
}

void report_error(const struct report *report, const struct cex *cex)
{
    char *headline = report_headline(cex);
    bool limit = cex->kind == VM_FAULT_LIMIT; /* which is no error of the program */
    fprintf(report->out, "%s%s: %s%s\n", report_style(report, limit ? STYLE_WARN : STYLE_ERROR),
            limit ? "incomplete" : "error", headline, report_style(report, STYLE_PLAIN));
    free(headline);
    if (report_has_name(cex->about))
        fprintf(report->out, "  the object: %s\n", cex->about);
    fputs("\nWhat each thread was doing:\n\n", report->out);
    for (size_t i = 0; i < cex->nthreads; i++)
        print_thread(report, cex, &cex->threads[i]);
    print_other(report, cex);
    report_events(report, cex);
    print_output(report, cex);
    fputc('\n', report->out);
}

/* ---- the verdict ----------------------------------------------------------------- */

static char *limit_text(enum check_limit limit, const char *why, bool found,
                        const struct check_options *options)
{
    static const char *const texts[] = {
#define CHECK_LIMIT(name, text) text,
#include "checker/search/limits.def"
    };
    char value[64] = "", *line;
    switch (limit) {
    case CHECK_LIMIT_TIME: snprintf(value, sizeof value, "%g s", options->max_seconds); break;
    case CHECK_LIMIT_MEMORY:
        report_bytes(value, sizeof value, (double)options->max_bytes);
        break;
    case CHECK_LIMIT_DISK: snprintf(value, sizeof value, "%s", options->spill->folder); break;
    case CHECK_LIMIT_STATES:
        snprintf(value, sizeof value, "%" PRIu64, options->max_states);
        break;
    case CHECK_LIMIT_DEPTH:
        snprintf(value, sizeof value, "%" PRIu64, options->max_depth);
        break;
    case CHECK_LIMIT_MACHINE: return strdup(why);
    case CHECK_LIMIT_EXHAUSTED: return strdup(texts[limit]);
    case CHECK_LIMIT_NONE:
    case CHECK_LIMIT_COUNT: break;
    }
    if (asprintf(&line, "%s of %s%s", texts[limit], value,
                 found ? ", before the way to an error was known" : "") < 0)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    return line;
}

static char *unsuited_text(const char *why)
{
    char *text;
    if (asprintf(&text, "--search=dpor does not suit the program: %s", why) < 0)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    return text;
}

char *report_incomplete(const struct check_result *result, const struct check_options *options)
{
    switch (result->outcome) {
    case CHECK_OK:
    case CHECK_ERROR: return NULL;
    case CHECK_INCOMPLETE:
        return limit_text(result->limit, result->why, result->found, options);
    case CHECK_INTERRUPTED: return strdup("interrupted");
    case CHECK_UNSUITED: return unsuited_text(result->why);
    case CHECK_BROKEN: break;
    }
    return strdup("an error was found, but not the way to it again (a bug of divm)");
}

const char *report_vacuous(const struct check_result *result)
{
    const struct check_stats *stats = &result->stats;
    return result->outcome == CHECK_OK && stats->dropped && !stats->final_states &&
                   !stats->executions
               ? "no execution ends: each was dropped by an assumption, or goes on for ever"
               : NULL;
}

/* "queue.c:14 is relaxed, and 3 more: not checked" */
static void put_weak(FILE *out, const struct vm_weak *weak)
{
    fprintf(out, "%s %s%s", report_basename(weak->where), weak->order ? "is " : "",
            weak->order ? weak->order : "has an order given at run time");
    if (weak->places > 1)
        fprintf(out, ", and %u more", weak->places - 1);
    fputs(": not checked", out);
}

char *report_complete(const struct check_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    fputs("complete", out);
    if (result->weak) {
        fputs(" under sequential consistency (", out);
        put_weak(out, result->weak);
        fputc(')', out);
    }
    if (report_vacuous(result))
        fprintf(out, ", but %s", report_vacuous(result));
    fclose(out);
    return text;
}

const char *report_among(const struct check_result *result)
{
    return result->found ? "an error among them" : "no error among them";
}

/* At a limit of the default, which goes on with both searches. */
static const char *advice(enum check_search favoured)
{
    switch (favoured) {
    case CHECK_BFS: return "; --search=bfs alone may be through sooner";
    case CHECK_DPOR: return "; --search=dpor alone may be through sooner";
    case CHECK_AUTO:
    case CHECK_DFS: break;
    }
    return "";
}

/* Why it is complete, or is not; malloc'ed. */
static char *verdict_text(const struct check_result *result,
                          const struct check_options *options, const struct cex *cex)
{
    if (result->outcome == CHECK_ERROR)
        return report_headline(cex);
    return result->outcome == CHECK_OK ? report_complete(result)
                                       : report_incomplete(result, options);
}

void report_verdict(const struct report *report, const struct check_result *result,
                    const struct check_options *options, const struct cex *cex)
{
    const char *plain = report_style(report, STYLE_PLAIN);
    char *text = verdict_text(result, options, cex);
    if (result->outcome == CHECK_ERROR)
        fprintf(report->out, "divm: %serror%s: %s\n", report_style(report, STYLE_ERROR), plain,
                text);
    else if (result->outcome != CHECK_OK)
        fprintf(report->out, "divm: %sincomplete%s: %s: %" PRIu64 " states seen, %s%s\n",
                report_style(report, STYLE_WARN), plain, text, result->stats.states,
                report_among(result), advice(result->favoured));
    else
        fprintf(report->out,
                "divm: %sno error found%s: %" PRIu64 " states, %" PRIu64 " transitions, %s\n",
                report_style(report, STYLE_GOOD), plain, result->stats.states,
                result->stats.transitions, text);
    free(text);
}

/* ---- statistics ------------------------------------------------------------------- */

enum stat_kind { COUNT, BYTES };

static void stat_line(FILE *out, const char *name, enum stat_kind kind, uint64_t value)
{
    char text[32];
    if (kind == BYTES)
        report_bytes(text, sizeof text, (double)value);
    else
        snprintf(text, sizeof text, "%" PRIu64, value);
    fprintf(out, "  %-22s %16s\n", name, text);
}

void report_stats(FILE *out, const struct check_stats *stats)
{
    double seconds = stats->seconds > 1e-6 ? stats->seconds : 1e-6;
    fputs("Statistics:\n\n", out);
#define CHECK_STAT(name, kind, text) stat_line(out, text, kind, stats->name);
#include "checker/search/stats.def"
    fprintf(out, "  %-22s %16.3f\n", "seconds", stats->seconds);
    fprintf(out, "  %-22s %16.0f\n", "states/s", (double)stats->states / seconds);
    fprintf(out, "  %-22s %16.0f\n", "transitions/s", (double)stats->transitions / seconds);
    if (stats->states)
        fprintf(out, "  %-22s %16.1f\n", "store bytes/state",
                (double)stats->store_bytes / (double)stats->states);
    if (stats->open_states)
        fprintf(out, "  %-22s %16.1f\n", "bytes/open state",
                (double)stats->open_bytes / (double)stats->open_states);
    fputc('\n', out);
}
