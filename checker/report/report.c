/* report.c - the report as text. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "checker/report/cex.h"
#include "checker/report/report.h"
#include "checker/report/step.h"
#include "checker/search/check.h"
#include "checker/search/spill.h"
#include "store/store.h"
#include "vm/vm.h"

/* ---- the error ------------------------------------------------------------------- */

static void append_place(FILE *text, const char *before, const struct cex_place *place)
{
    if (!place)
        return;
    fprintf(text, "%s%s", before, place->function);
    if (place->line)
        fprintf(text, " at %s:%u", check_basename(place->file), place->line);
}

static const struct cex_place *place_of_wait(const struct cex_thread *thread)
{
    return thread->state == CEX_WAITING ? cex_user_place(&thread->stack) : NULL;
}

static bool is_same_place(const struct cex_place *a, const struct cex_place *b)
{
    return b && a->line == b->line && !strcmp(a->file, b->file) &&
           !strcmp(a->function, b->function);
}

static void append_deadlocked(FILE *text, const struct cex *cex)
{
    const char *before = ": ";
    for (size_t i = 0; i < cex->nthreads; i++) {
        const struct cex_place *place = place_of_wait(&cex->threads[i]);
        size_t times = 0, first = cex->nthreads;
        for (size_t k = 0; place && k < cex->nthreads; k++)
            if (is_same_place(place, place_of_wait(&cex->threads[k]))) {
                first = k < first ? k : first;
                times++;
            }
        if (!place || first < i)
            continue;
        append_place(text, before, place);
        if (times > 1)
            fprintf(text, " (%zu threads)", times);
        before = ", ";
    }
}

/* Appends each line of an endless run once, whichever threads go on there. */
static void append_loops(FILE *text, const struct cex *cex)
{
    enum { MOST = 3 };
    const struct cex_place *last = NULL;
    size_t n = 0;
    for (size_t i = 0; i < cex->nloops; i++) {
        const struct cex_place *place = cex_user_place(&cex->loops[i].stack);
        bool told = false;
        for (size_t k = 0; k < i; k++)
            told = told || is_same_place(place, cex_user_place(&cex->loops[k].stack));
        if (told || (last && !strcmp(last->function, place->function)))
            continue;
        if (++n <= MOST)
            append_place(text, n == 1 ? ": " : ", ", place);
        last = place;
    }
    if (n > MOST)
        fputs(", ...", text);
}

/* Has the machine's message already said where the error was? */
static bool names_place(const char *message, const struct cex_place *place)
{
    char where[512];
    snprintf(where, sizeof where, "%s at %s:%u", place->function, check_basename(place->file),
             place->line);
    return strstr(message, where);
}

/* Appends where a leaked object was made. */
static void append_made(FILE *text, const struct cex *cex)
{
    const struct cex_side *made = cex_allocation(cex);
    const struct cex_place *place = made ? cex_user_place(&made->stack) : NULL;
    if (place)
        fprintf(text, ", allocated at %s:%u", check_basename(place->file), place->line);
}

/* Returns what is done to a std::thread that still runs, which ends the program; or NULL. */
static const char *done_to_thread(const struct cex *cex)
{
    for (size_t i = 0; cex->kind == VM_FAULT_ABORT && i < cex->stack.n; i++) {
        const char *function = cex->stack.places[i].function;
        if (strstr(function, "6threadD") || !strcmp(function, "std::thread::~thread"))
            return "destroyed";
        if (strstr(function, "6threadaS") || !strcmp(function, "std::thread::operator="))
            return "assigned to";
    }
    return NULL;
}

char *report_headline(const struct cex *cex)
{
    const char *done = done_to_thread(cex);
    char *line = NULL, *error = cex_error_text(cex);
    size_t size;
    FILE *text = check_text_stream(&line, &size);
    fputs(error, text);
    if (done)
        fprintf(text, ": a std::thread is %s that was neither joined nor detached", done);
    if (cex->kind == VM_FAULT_LEAK)
        append_made(text, cex);
    const struct cex_place *place = cex_user_place(&cex->stack);
    if (cex->kind == VM_FAULT_DEADLOCK) {
        append_deadlocked(text, cex);
    } else if (cex->nloops) {
        append_loops(text, cex);
    } else if (place && !names_place(error, place)) {
        append_place(text, " (", place);
        fputc(')', text);
    }
    fclose(text);
    free(error);
    return line;
}

/* Prints what a waiting thread waits for. */
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
        [VM_ACT_FUTEX] = "waits on futex",
        [VM_ACT_PROCESS_EXIT] = "is about to end the process",
        [VM_ACT_ATOMIC] = "waits for the end of an atomic section",
    };
    const char *phrase = words[thread->action], *call = cex_call(&thread->stack);
    char *inside = cex_waits_in(thread);
    bool is_syscall = thread->action == VM_ACT_SYSCALL || thread->action == VM_ACT_FUTEX;
    if (inside)
        fprintf(report->out, " waits in %s%s", inside,
                report_has_name(thread->object) ? " on" : "");
    else if (is_syscall && call)
        fprintf(report->out, " waits in %s", call);
    else if (phrase)
        fprintf(report->out, " %s", phrase);
    else
        fprintf(report->out, " waits to %s", vm_action_text(thread->action));
    if (thread->action == VM_ACT_JOIN && thread->owner)
        fprintf(report->out, " thread %" PRIu64, thread->owner);
    else if (report_has_name(thread->object))
        fprintf(report->out, " %s", thread->object);
    if (thread->owner == thread->tid && thread->action != VM_ACT_JOIN)
        fputs(", which it holds itself", report->out);
    else if (thread->owner && thread->action != VM_ACT_JOIN)
        fprintf(report->out, ", held by thread %" PRIu64 "%s", thread->owner,
                thread->process && thread->tid != 1 ? ", which is in another process" : "");
    free(inside);
}

static bool has_own(const struct report *report, const struct cex_stack *stack)
{
    return report->trace == REPORT_FULL || cex_user_place(stack);
}

/* Is the error told when main has returned, so that nothing of the program's own is on the
 * stack? */
static bool is_told_at_end(enum vm_fault_kind kind)
{
    return kind == VM_FAULT_LEAK || kind == VM_FAULT_EXIT_STATUS;
}

static void tell_holds(const struct report *report, const struct cex *cex,
                       const struct cex_thread *thread)
{
    for (size_t i = 0; i < cex->nlocks; i++)
        if (cex->locks[i].tid == thread->tid && report_has_name(cex->locks[i].object))
            fprintf(report->out, "      holds %s\n", cex->locks[i].object);
}

static void tell_name(const struct report *report, const struct cex_thread *thread)
{
    char name[128];
    report_thread_name(name, sizeof name, thread);
    fprintf(report->out, "    %s%s%s", report_style(report, STYLE_BOLD), name,
            report_style(report, STYLE_PLAIN));
}

/* Says what the thread that went wrong does there: in a race, its access. */
static const char *failure_word(const struct cex *cex)
{
    static const char *const words[][2] = {
        {" (read", "reads it"},
        {" (write", "writes it"},
        {" (free of ", "frees it"},
        {" (delete", "deletes it"},
        {" (aligned delete", "deletes it"},
        {" (munmap of ", "unmaps it"},
        {" (end of ", "ends it"},
    };
    bool races = cex->kind == VM_FAULT_RACE || cex_is_end_race(cex);
    const char *access = races ? strstr(cex->message, " (") : NULL;
    for (size_t i = 0; access && i < sizeof words / sizeof *words; i++)
        if (!strncmp(access, words[i][0], strlen(words[i][0])))
            return words[i][1];
    return "failed";
}

/* Tells of the thread that went wrong, at the line where it did. */
static void tell_failed(const struct report *report, const struct cex *cex,
                        const struct cex_thread *thread, const struct cex_place **last)
{
    const struct cex_stack *stack = cex->stack.n ? &cex->stack : &thread->stack;
    bool own = has_own(report, stack);
    bool known = report_source(report, cex_user_place(stack), last);
    tell_name(report, thread);
    if (is_told_at_end(cex->kind) && !own) {
        fputs(" has ended the process\n", report->out);
        return;
    }
    fprintf(report->out, " %s%s%s", report_style(report, STYLE_ERROR), failure_word(cex),
            report_style(report, STYLE_PLAIN));
    if (cex->kind == VM_FAULT_RACE)
        report_held(report, cex, thread->tid, cex->heard);
    fputc('\n', report->out);
    if (own)
        report_callers(report, stack, known);
    else
        report_stack(report, stack, true);
    tell_holds(report, cex, thread);
}

static void tell_state(const struct report *report, const struct cex_thread *thread)
{
    const struct cex_place *place = cex_user_place(&thread->stack);
    fputs(thread->state == CEX_FINISHED ? " has finished" : " is runnable", report->out);
    if (place && thread->state != CEX_FINISHED)
        fprintf(report->out, " at %s:%u", check_basename(place->file), place->line);
}

/* Prints a thread that did not finish; in a deadlock, why. */
static void print_thread(const struct report *report, const struct cex *cex,
                         const struct cex_thread *thread, const struct cex_place **last)
{
    bool waits = thread->action != VM_ACT_NONE && thread->state == CEX_WAITING;
    bool stuck = (cex->kind == VM_FAULT_DEADLOCK || cex_is_endless(cex)) && waits;
    bool known = stuck && report_source(report, cex_user_place(&thread->stack), last);
    tell_name(report, thread);
    if (waits)
        print_wait(report, thread);
    else
        tell_state(report, thread);
    fputc('\n', report->out);
    if (stuck || report->trace == REPORT_FULL)
        report_callers(report, &thread->stack, known);
    tell_holds(report, cex, thread);
}

/* Prints the lines of an endless run. */
static void tell_loops(const struct report *report, const struct cex *cex,
                       const struct cex_place **last)
{
    for (size_t i = 0; i < cex->nloops; i++) {
        const struct cex_loop *loop = &cex->loops[i];
        const struct cex_thread *thread = cex_thread(cex, loop->tid);
        bool known = report_source(report, cex_user_place(&loop->stack), last);
        if (thread)
            tell_name(report, thread);
        else
            fprintf(report->out, "    thread %" PRIu64, loop->tid);
        fputs(" runs here forever\n", report->out);
        report_callers(report, &loop->stack, known);
    }
}

static bool is_of_interest(const struct report *report, const struct cex *cex,
                           const struct cex_thread *thread)
{
    bool joins = thread->state == CEX_WAITING && thread->action == VM_ACT_JOIN;
    if (cex_is_in_loop(cex, thread->tid) || (cex_is_endless(cex) && thread->state == CEX_READY))
        return false;
    if (report->trace == REPORT_FULL || cex->kind == VM_FAULT_DEADLOCK || cex_is_endless(cex))
        joins = false;
    for (size_t i = 0; report->trace != REPORT_FULL && i < cex->nsides; i++)
        if (thread->state == CEX_READY && cex->sides[i].tid == thread->tid)
            return false;
    if (thread->state != CEX_FINISHED || report->trace == REPORT_FULL)
        return !joins;
    for (size_t i = 0; i < cex->nthreads; i++) /* its copies in other processes hold them */
        if (cex->threads[i].process)
            return false;
    for (size_t i = 0; i < cex->nlocks; i++)
        if (cex->locks[i].tid == thread->tid)
            return true;
    return false;
}

static void tell_threads(const struct report *report, const struct cex *cex)
{
    const struct cex_place *last = NULL;
    for (size_t i = 0; i < cex->nthreads; i++)
        if (cex_has_failed(cex, &cex->threads[i]))
            tell_failed(report, cex, &cex->threads[i], &last);
    tell_loops(report, cex, &last);
    report_causes(report, cex, &last);
    for (size_t i = 0; i < cex->nthreads; i++)
        if (!cex_has_failed(cex, &cex->threads[i]) &&
            is_of_interest(report, cex, &cex->threads[i]))
            print_thread(report, cex, &cex->threads[i], &last);
}

static void print_output(const struct report *report, const struct cex *cex)
{
    bool any = false, newline = true;
    bool only_words = cex->kind == VM_FAULT_EXIT_STATUS; /* nothing else says what is wrong */
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *event = &cex->events[i];
        bool own = !event->framework || report->trace == REPORT_FULL || only_words;
        if (event->kind != CEX_OUTPUT || !event->len || !own)
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
    bool limit = cex->kind == VM_FAULT_LIMIT;   /* which is no error of the program */
    bool reached = cex->kind == VM_FAULT_REACH; /* neither */
    fprintf(report->out, "%s%s%s%s\n",
            report_style(report, limit     ? STYLE_WARN
                                 : reached ? STYLE_GOOD
                                           : STYLE_ERROR),
            limit     ? "incomplete: "
            : reached ? ""
                      : "error: ",
            headline, report_style(report, STYLE_PLAIN));
    free(headline);
    if (report_has_name(cex->about))
        fprintf(report->out, "  the object: %s\n", cex->about);
    if (cex->kind == VM_FAULT_ASSERT && cex->values)
        fprintf(report->out, "  the values: %s\n", cex->values);
    fputc('\n', report->out);
    tell_threads(report, cex);
    report_events(report, cex);
    print_output(report, cex);
    fputc('\n', report->out);
}

/* ---- the verdict ----------------------------------------------------------------- */

const char *report_vacuous(const struct check_result *result)
{
    const struct check_stats *stats = &result->stats;
    return result->outcome == CHECK_OK && stats->dropped && !stats->final_states &&
                   !stats->executions
               ? "no execution ends: each was dropped by an assumption, or goes on for ever"
               : NULL;
}

const char *report_model(enum vm_model model)
{
    static const char *const names[] = {
        [VM_MODEL_SC] = "sc", [VM_MODEL_C11] = "c11", [VM_MODEL_TSO] = "tso"};
    return names[model];
}

/* Prints "queue.c:14 is relaxed, and 3 more". */
static void put_weak(FILE *out, const struct vm_weak *weak)
{
    fprintf(out, "%s %s%s", check_basename(weak->where), weak->order ? "is " : "",
            weak->order ? weak->order : "has an order given at run time");
    if (weak->places > 1)
        fprintf(out, ", and %u more", weak->places - 1);
}

char *report_complete(const struct check_result *result)
{
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    fputs("complete", out);
    if (result->model == VM_MODEL_TSO) {
        fputs(" under x86-TSO", out);
    } else if (result->machine.store_buffers) {
        fputs(" under sequential consistency (the program forks: x86-TSO is not checked)", out);
    } else if (result->weak) {
        bool c11 = result->model == VM_MODEL_C11 || result->states_by_c11;
        fprintf(out, " under %s (", c11 ? "C11's memory model" : "sequential consistency");
        put_weak(out, result->weak);
        fputs(c11                           ? ")"
              : result->machine.weak_memory ? ": not checked, since the program forks)"
                                            : ": not checked)",
              out);
        if (result->states_by_c11)
            fputs(", infinite runs under sequential consistency", out);
    }
    if (result->strong_exchanges)
        fputs(", if no weak compare-exchange fails spuriously", out);
    if (result->large_atomics)
        fputs(", if large atomic objects show no older values", out);
    if (result->unreached)
        fprintf(out, ": %s", result->unreached);
    if (report_vacuous(result))
        fprintf(out, ", but %s", report_vacuous(result));
    fclose(out);
    return text;
}

/* Returns "3 errors, first data race: ...; there may be more: time limit of 60 s". */
static char *errors_text(const struct check_result *result, const struct check_options *options,
                         const struct cex *cex)
{
    char *line = NULL, *first = report_headline(cex), *cut = report_cut(result, options);
    size_t size;
    FILE *text = check_text_stream(&line, &size);
    if (result->nmore)
        fprintf(text, "%zu errors, first ", result->nmore + 1);
    fputs(first, text);
    if (cut)
        fprintf(text, "; there may be more: %s", cut);
    fclose(text);
    free(first);
    free(cut);
    return line;
}

/* Says why the result is complete, or is not; malloc'ed. */
static char *verdict_text(const struct check_result *result,
                          const struct check_options *options, const struct cex *cex)
{
    if (result->outcome == CHECK_ERROR)
        return errors_text(result, options, cex);
    return result->outcome == CHECK_OK ? report_complete(result)
                                       : report_incomplete(result, options);
}

/* Returns what is said of the question of --reach where none of its states was met: an error of
 * the program leaves an answer if there was nothing else to explore. */
static const char *reach_left(const struct check_result *result)
{
    if (!result->unreached)
        return "";
    return result->exhausted ? "; " : "; the search ended before it was known that ";
}

/* Prints "no error in ...": more was to be explored. */
static void tell_begun(const struct report *report, const struct check_result *result,
                       const char *text)
{
    static const char begin[] = "no error";
    fprintf(report->out, "divm: %s%s%s%s%s%s\n", report_style(report, STYLE_WARN), begin,
            report_style(report, STYLE_PLAIN), text + strlen(begin), reach_left(result),
            result->unreached ? result->unreached : "");
}

static void tell_sampled(const struct report *report, const struct check_result *result,
                         const char *why)
{
    char *text = report_sampled(result, result->limit == CHECK_LIMIT_RUNS ? NULL : why);
    tell_begun(report, result, text);
    free(text);
}

void report_verdict(const struct report *report, const struct check_result *result,
                    const struct check_options *options, const struct cex *cex)
{
    const char *plain = report_style(report, STYLE_PLAIN), *more = report->addition;
    const char *unreached = result->unreached ? result->unreached : "";
    char *text = verdict_text(result, options, cex);
    char *proven = report_proven(result);
    if (result->outcome == CHECK_ERROR && cex->kind == VM_FAULT_REACH)
        fprintf(report->out, "divm: %s%s%s%s%s\n", report_style(report, STYLE_GOOD), text,
                plain, more ? "; " : "", more ? more : "");
    else if (result->outcome == CHECK_ERROR)
        fprintf(report->out, "divm: %serror%s: %s%s%s%s%s\n", report_style(report, STYLE_ERROR),
                plain, text, reach_left(result), unreached, more ? "; " : "", more ? more : "");
    else if (report_is_sampled(result))
        tell_sampled(report, result, text);
    else if (result->outcome == CHECK_INCOMPLETE && result->limit == CHECK_LIMIT_PREEMPTIONS)
        tell_begun(report, result, proven);
    else if (result->outcome != CHECK_OK)
        fprintf(report->out, "divm: %sincomplete%s: %s: %s%s%s\n",
                report_style(report, STYLE_WARN), plain, text, proven, reach_left(result),
                unreached);
    else
        fprintf(report->out,
                "divm: %sno error found%s: %" PRIu64 " states, %" PRIu64
                " transitions, %s%s%s\n",
                report_style(report, STYLE_GOOD), plain, result->stats.states,
                result->stats.transitions, text, more ? "; " : "", more ? more : "");
    free(text);
    free(proven);
}

/* ---- statistics ------------------------------------------------------------------ */

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
