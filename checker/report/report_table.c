/* report_table.c - what happened, as a table with a column per thread, or a list.
 *
 * Shown is what matters: what threads did to objects that at least two of them
 * touch, and their calls of the thread library; never how a library does it.  What a
 * thread repeats is shown once.  --trace=full shows all. */
#include <err.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "report.h"

enum { MIN_COLUMN = 18, MAX_ROWS = 120, GAP = 2, NUMBER = 5, MOST_OUTPUT = 60 };

struct row {
    uint64_t tid;
    char *text;
    size_t times;
    bool error;
};

struct column {
    uint64_t tid;
    char title[128];
    size_t width;
};

struct table {
    struct row *rows;
    size_t nrows, max_rows;
    struct column *columns;
    size_t ncolumns, max_columns;
    const char *file; /* all lines are of this one, or NULL */
};

/* ---- rows -------------------------------------------------------------------------- */

/* What a test framework does is no business of the test. */
static bool is_of_framework(const char *call)
{
    static const char *const names[] = {"testing::", "Catch::", "doctest::"};
    for (size_t k = 0; call && k < sizeof names / sizeof *names; k++)
        if (!strncmp(call, names[k], strlen(names[k])))
            return true;
    return false;
}

static bool matters(const struct report *report, const struct cex *cex,
                    const struct cex_event *event)
{
    if (event->kind == CEX_NOTE)
        return true;
    if (report->trace == REPORT_FULL)
        return true;
    if (event->kind == CEX_ACTION && is_of_framework(event->call))
        return false;
    if (event->kind == CEX_OUTPUT || event->at.library || !event->at.line)
        return event->kind == CEX_OUTPUT;
    switch (event->action) {
    case VM_ACT_NONE:
    case VM_ACT_LOOP:
    case VM_ACT_INIT:
    case VM_ACT_KEY:
    case VM_ACT_CHOOSE:
    case VM_ACT_DESTROY: return false;
    case VM_ACT_SYSCALL: return cex->kind == VM_FAULT_DEADLOCK;
    case VM_ACT_LOAD:
    case VM_ACT_STORE:
    case VM_ACT_RMW:
    case VM_ACT_CMPXCHG:
    case VM_ACT_READ:
    case VM_ACT_WRITE: return cex_is_shared(cex, event->addr);
    case VM_ACT_FENCE:
    case VM_ACT_CREATE:
    case VM_ACT_FORK:
    case VM_ACT_WAIT:
    case VM_ACT_JOIN:
    case VM_ACT_DETACH:
    case VM_ACT_EXIT:
    case VM_ACT_LOCK:
    case VM_ACT_TRYLOCK:
    case VM_ACT_TIMEDLOCK:
    case VM_ACT_UNLOCK:
    case VM_ACT_COND_WAIT:
    case VM_ACT_COND_TIMEDWAIT:
    case VM_ACT_COND_WAKE:
    case VM_ACT_COND_SIGNAL:
    case VM_ACT_COND_BROADCAST:
    case VM_ACT_RDLOCK:
    case VM_ACT_WRLOCK:
    case VM_ACT_RWUNLOCK:
    case VM_ACT_BARRIER:
    case VM_ACT_BARRIER_ARRIVE:
    case VM_ACT_BARRIER_LEAVE:
    case VM_ACT_SEM_WAIT:
    case VM_ACT_SEM_TRYWAIT:
    case VM_ACT_SEM_POST:
    case VM_ACT_SEM_GET:
    case VM_ACT_ONCE:
    case VM_ACT_CANCEL:
    case VM_ACT_SIGNAL:
    case VM_ACT_YIELD:
    case VM_ACT_SLEEP:
    case VM_ACT_PROCESS_EXIT:
    case VM_ACT_ATOMIC: return true;
    case VM_ACT_COUNT: break;
    }
    return false;
}

/* All of it comes below the table. */
static void write_text(FILE *text, const struct cex_event *event)
{
    size_t n = event->len <= MOST_OUTPUT ? event->len : MOST_OUTPUT;
    fputc('"', text);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)event->text[i];
        if (c == '\n')
            fputs("\\n", text);
        else if (c < ' ')
            fprintf(text, "\\x%02x", c);
        else
            fputc(c, text);
    }
    fputs(n < event->len ? "...\"" : "\"", text);
}

/* How a library keeps what it does to itself. */
static bool is_own(const char *object)
{
    return report_has_name(object) && strncmp(object, "byte ", 5) != 0 &&
           strncmp(object, "heap object", 11) != 0;
}

/* A part of what the library's function does: told once, without its values. */
static void write_whole(FILE *text, const struct cex_event *event)
{
    fputs(event->cxx_name, text);
    if (is_own(event->object))
        fprintf(text, " %s", event->object);
}

static void write_action(FILE *text, const struct cex_event *event)
{
    if (event->cxx_name && event->inside) {
        write_whole(text, event);
        return;
    }
    if (event->action == VM_ACT_SYSCALL && event->call) {
        fputs(event->call, text);
        return;
    }
    bool named = event->cxx_name && event->action != VM_ACT_CREATE;
    fputs(named ? event->cxx_name : vm_action_text(event->action), text);
    if (report_has_name(event->object))
        fprintf(text, " %s", event->object);
    if (event->read && event->written)
        fprintf(text, ": %s -> %s", event->read, event->written);
    else if (event->read || event->written)
        fprintf(text,
                event->read && event->action == VM_ACT_CMPXCHG ? ": fails, is %s" : " = %s",
                event->read ? event->read : event->written);
}

/* "23: load counter = 0" */
static char *cell(const struct table *table, const struct cex_event *event)
{
    char *line = NULL;
    size_t size;
    FILE *text = open_memstream(&line, &size);
    if (!text)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    if (event->at.line && table->file)
        fprintf(text, "%u: ", event->at.line);
    else if (event->at.line)
        fprintf(text, "%s:%u: ", report_basename(event->at.file), event->at.line);
    switch (event->kind) {
    case CEX_ACTION: write_action(text, event); break;
    case CEX_OUTPUT:
        fputs("prints ", text);
        write_text(text, event);
        break;
    case CEX_NOTE: fprintf(text, "note: %s", event->text); break;
    }
    fclose(text);
    return line;
}

static void add_row(struct table *table, uint64_t tid, char *text, bool error, bool part)
{
    struct row *last = table->nrows ? &table->rows[table->nrows - 1] : NULL;
    if (last && last->tid == tid && !strcmp(last->text, text)) {
        last->times += !part;
        free(text);
        return;
    }
    struct row row = {tid, text, 1, error};
    ARRAY_PUSH(table->rows, table->nrows, table->max_rows, row);
}

/* The one file that all lines are of, or NULL. */
static const char *only_file(const struct report *report, const struct cex *cex)
{
    const char *file = NULL;
    for (size_t i = 0; i < cex->nevents; i++) {
        const struct cex_event *event = &cex->events[i];
        if (!matters(report, cex, event) || !event->at.line)
            continue;
        if (file && strcmp(file, event->at.file))
            return NULL;
        file = event->at.file;
    }
    return file;
}

static void make_rows(struct table *table, const struct report *report, const struct cex *cex)
{
    table->file = only_file(report, cex);
    for (size_t i = 0; i < cex->nevents; i++)
        if (matters(report, cex, &cex->events[i]))
            add_row(table, cex->events[i].tid, cell(table, &cex->events[i]), false,
                    cex->events[i].inside);
    if (!cex->failed || !cex->tid || cex->kind == VM_FAULT_DEADLOCK)
        return;
    const struct cex_place *place = cex_user_place(&cex->stack);
    char *text, *error = cex_error_text(cex), where[300] = "";
    if (place && place->line)
        snprintf(where, sizeof where,
                 table->file ? "%.0s%u: " : "%.200s:%u: ", report_basename(place->file),
                 place->line);
    if (asprintf(&text, "%s%s", where, error) < 0)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    add_row(table, cex->tid, text, true, false);
    free(error);
}

/* ---- columns ------------------------------------------------------------------------ */

static struct column *column_of(struct table *table, uint64_t tid)
{
    for (size_t i = 0; i < table->ncolumns; i++)
        if (table->columns[i].tid == tid)
            return &table->columns[i];
    return NULL;
}

static void make_columns(struct table *table, const struct cex *cex)
{
    for (size_t i = 0; i < table->nrows; i++) {
        struct row *row = &table->rows[i];
        struct column *column = column_of(table, row->tid);
        if (!column) {
            struct column fresh = {.tid = row->tid};
            const struct cex_thread *thread = cex_thread(cex, row->tid);
            if (thread)
                report_thread_name(fresh.title, sizeof fresh.title, thread);
            fresh.width = strlen(fresh.title);
            ARRAY_PUSH(table->columns, table->ncolumns, table->max_columns, fresh);
            column = &table->columns[table->ncolumns - 1];
        }
        size_t width = strlen(row->text) + (row->times > 1 ? 8 : 0);
        if (width > column->width)
            column->width = width;
    }
    for (size_t i = 1; i < table->ncolumns; i++) /* by tid: few, nearly sorted */
        for (size_t k = i; k && table->columns[k].tid < table->columns[k - 1].tid; k--) {
            struct column swap = table->columns[k];
            table->columns[k] = table->columns[k - 1];
            table->columns[k - 1] = swap;
        }
}

/* Narrow the widest columns until all fit; false if they can't. */
static bool fit_columns(struct table *table, int width)
{
    for (;;) {
        size_t sum = NUMBER, widest = 0;
        for (size_t i = 0; i < table->ncolumns; i++) {
            sum += table->columns[i].width + GAP;
            if (table->columns[i].width > table->columns[widest].width)
                widest = i;
        }
        if (sum <= (size_t)width)
            return true;
        if (table->columns[widest].width <= MIN_COLUMN)
            return false;
        table->columns[widest].width--;
    }
}

/* ---- printing ------------------------------------------------------------------------ */

/* How much of a text goes on a line of this width: whole words if possible. */
static size_t line_length(const char *text, size_t width)
{
    size_t n = strlen(text);
    if (n <= width)
        return n;
    for (size_t i = width; i > width / 2; i--)
        if (text[i] == ' ')
            return i;
    return width;
}

static void indent_to(FILE *out, const struct table *table, const struct column *column)
{
    size_t n = NUMBER;
    for (const struct column *c = table->columns; c < column; c++)
        n += c->width + GAP;
    fprintf(out, "%*s", (int)n, "");
}

static void print_row(const struct report *report, struct table *table, size_t number,
                      const struct row *row)
{
    const struct column *column = column_of(table, row->tid);
    char *text;
    if (asprintf(&text, row->times > 1 ? "%s (%zu x)" : "%s", row->text, row->times) < 0)
        errx(CHECK_EXIT_INTERNAL, "out of memory");
    bool first = true;
    for (const char *rest = text; *rest; first = false) {
        size_t n = line_length(rest, column->width);
        if (first && number) {
            fprintf(report->out, "%s%4zu%s ", report_style(report, STYLE_DIM), number,
                    report_style(report, STYLE_PLAIN));
            for (const struct column *c = table->columns; c < column; c++)
                fprintf(report->out, "%*s", (int)c->width + GAP, "");
        } else {
            indent_to(report->out, table, column);
        }
        fprintf(report->out, "%s%.*s%s\n", row->error ? report_style(report, STYLE_ERROR) : "",
                (int)n, rest, row->error ? report_style(report, STYLE_PLAIN) : "");
        rest += n;
        rest += strspn(rest, " ");
    }
    free(text);
}

static void print_titles(const struct report *report, const struct table *table)
{
    fprintf(report->out, "%*s%s", NUMBER, "", report_style(report, STYLE_BOLD));
    for (size_t i = 0; i < table->ncolumns; i++) {
        const struct column *column = &table->columns[i];
        bool last = i + 1 == table->ncolumns;
        fprintf(report->out, "%-*.*s", last ? 0 : (int)column->width + GAP, (int)column->width,
                column->title);
    }
    fprintf(report->out, "%s\n%*s", report_style(report, STYLE_PLAIN), NUMBER, "");
    for (size_t i = 0; i < table->ncolumns; i++) {
        for (size_t k = 0; k < table->columns[i].width; k++)
            fputc('-', report->out);
        if (i + 1 < table->ncolumns)
            fprintf(report->out, "%*s", GAP, "");
    }
    fputc('\n', report->out);
}

static void print_list(const struct report *report, struct table *table, size_t from)
{
    int width = 0;
    for (size_t i = 0; i < table->ncolumns; i++)
        if ((int)strlen(table->columns[i].title) > width)
            width = (int)strlen(table->columns[i].title);
    for (size_t i = from; i < table->nrows; i++) {
        const struct row *row = &table->rows[i];
        fprintf(report->out, "%s%4zu%s %s%-*s  %s", report_style(report, STYLE_DIM), i + 1,
                report_style(report, STYLE_PLAIN),
                row->error ? report_style(report, STYLE_ERROR) : "", width,
                column_of(table, row->tid)->title, row->text);
        if (row->times > 1)
            fprintf(report->out, " (%zu x)", row->times);
        fprintf(report->out, "%s\n", row->error ? report_style(report, STYLE_PLAIN) : "");
    }
}

void report_events(const struct report *report, const struct cex *cex)
{
    struct table table = {0};
    make_rows(&table, report, cex);
    make_columns(&table, cex);
    size_t from = 0;
    if (report->trace != REPORT_FULL && table.nrows > MAX_ROWS)
        from = table.nrows - MAX_ROWS;
    bool list = report->trace != REPORT_TABLE || !fit_columns(&table, report->width);
    bool only_error = table.nrows == 1 && table.rows[0].error;
    if (table.nrows && !only_error) {
        fputs("\nWhat happened", report->out);
        if (table.file)
            fprintf(report->out, " (lines of %s)", report_basename(table.file));
        fputs(":\n\n", report->out);
        if (!list)
            print_titles(report, &table);
        if (from)
            fprintf(report->out, "     ... %zu rows more: --trace=full\n", from);
        if (list)
            print_list(report, &table, from);
        for (size_t i = from; !list && i < table.nrows; i++)
            print_row(report, &table, i + 1, &table.rows[i]);
    }
    for (size_t i = 0; i < table.nrows; i++)
        free(table.rows[i].text);
    free(table.rows);
    free(table.columns);
}
