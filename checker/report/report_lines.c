/* report_lines.c - the source lines that an error goes back to, each with who was there: shown
 * once, above the table. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "report.h"
#include "step.h"

/* Returns a source line without the blanks around it, malloc'ed; NULL if there is no such file
 * any more. */
static char *source_line(const char *file, unsigned line)
{
    FILE *in = fopen(file, "r");
    char *text = NULL;
    size_t size = 0;
    ssize_t n = -1;
    for (unsigned k = 0; in && k < line && (n = getline(&text, &size, in)) >= 0;)
        k++;
    if (in)
        fclose(in);
    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        text[--n] = '\0';
    if (n <= 0) {
        free(text);
        return NULL;
    }
    memmove(text, text + strspn(text, " \t"), strlen(text + strspn(text, " \t")) + 1);
    return text;
}

static bool is_told(const struct report *report, const struct cex_place *place)
{
    return report->trace == REPORT_FULL || (!place->library && place->line);
}

/* Counts calls from the same place in a recursion: they are told once. */
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

void report_stack(const struct report *report, const struct cex_stack *stack, bool all)
{
    const char *before = "in";
    for (size_t i = 0, times; i < stack->n; i += times) {
        const struct cex_place *place = &stack->places[i];
        times = count_alike(stack, i);
        if (all ? !place->line : !is_told(report, place))
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

/* Prints the stack, unless it has one place, and that was shown. */
void report_callers(const struct report *report, const struct cex_stack *stack, bool shown)
{
    size_t n = 0;
    for (size_t i = 0; i < stack->n; i++)
        n += is_told(report, &stack->places[i]);
    if (n > 1 || !shown)
        report_stack(report, stack, false);
}

static bool is_same(const struct cex_place *a, const struct cex_place *b)
{
    return a && b && a->line == b->line && !strcmp(a->file, b->file);
}

bool report_source(const struct report *report, const struct cex_place *place,
                   const struct cex_place **last)
{
    bool again = is_same(place, *last);
    bool known = false;
    char *text = place && !again ? source_line(place->file, place->line) : NULL;
    known = text || again;
    *last = place;
    if (text)
        fprintf(report->out, "  %s%s:%u:%s %s\n", report_style(report, STYLE_DIM),
                check_basename(place->file), place->line, report_style(report, STYLE_PLAIN),
                text);
    free(text);
    return known;
}

struct held {
    const struct report *report;
    size_t n;
};

static void tell_held(void *context, const char *object)
{
    struct held *held = context;
    fprintf(held->report->out, "%s%s", held->n++ ? ", " : ", holding ", object);
}

void report_held(const struct report *report, const struct cex *cex, uint64_t tid,
                 uint64_t order)
{
    struct held held = {report, 0};
    steps_held(cex, tid, order, tell_held, &held);
    if (!held.n)
        fputs(", holding no lock", report->out);
}

/* Prints the other accesses, allocations and frees that the error goes back to. */
void report_causes(const struct report *report, const struct cex *cex,
                   const struct cex_place **last)
{
    static const char *const words[][2] = {
        {"read", "had read it"},
        {"write", "had written it"},
        {"free", "had freed it"},
        {"atomic read", "had read it atomically"},
        {"atomic write", "had written it atomically"},
        {"end", "had ended it"},
        {"allocation", "had allocated it"},
    };
    for (size_t i = cex->nsides; i-- > 0;) {
        const struct cex_side *side = &cex->sides[i];
        const struct cex_thread *thread = cex_thread(cex, side->tid);
        char name[128];
        if (!thread)
            continue;
        bool known = report_source(report, cex_user_place(&side->stack), last);
        report_thread_name(name, sizeof name, thread);
        fprintf(report->out, "    %s%s%s", report_style(report, STYLE_BOLD), name,
                report_style(report, STYLE_PLAIN));
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (!strcmp(side->what, words[k][0]))
                fprintf(report->out, " %s", words[k][1]);
        bool accesses = strcmp(side->what, "allocation") != 0;
        if (accesses && cex->kind == VM_FAULT_RACE)
            report_held(report, cex, side->tid, side->order);
        if (accesses && cex_is_end_race(cex))
            fputs(", and nothing orders the two", report->out);
        fputc('\n', report->out);
        report_callers(report, &side->stack, known);
    }
}
