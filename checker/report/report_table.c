/* report_table.c - the table of threads: what happened, with a column per thread; or a list.
 *
 * What there is to print are the steps of step.h.  --trace=full shows all. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/cex.h"
#include "checker/report/report.h"
#include "step.h"
#include "vm/vm.h"

enum { MIN_COLUMN = 18, MAX_ROWS = 120, GAP = 2, NUMBER = 5 };

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
    size_t folded;    /* steps in front of the rows */
};

/* ---- letters --------------------------------------------------------------------- */

/* Returns the bytes of the first n letters of a text in UTF-8.  Each letter is taken to be one
 * place wide. */
static size_t bytes_of(const char *text, size_t n)
{
    size_t at = 0;
    for (; text[at] && n; n--)
        do
            at++;
        while (((unsigned char)text[at] & 0xc0) == 0x80);
    return at;
}

static size_t letters(const char *text)
{
    size_t n = 0;
    for (; *text; n++)
        text += bytes_of(text, 1);
    return n;
}

/* ---- rows ------------------------------------------------------------------------ */

/* Returns the text of a cell: "23: load counter = 0". */
static char *cell(const struct steps *steps, const struct step *step)
{
    char *line, *text = step_text(step), where[300] = "";
    if (step->at->line && steps->file)
        snprintf(where, sizeof where, "%u: ", step->at->line);
    else if (step->at->line)
        snprintf(where, sizeof where, "%.200s:%u: ", check_basename(step->at->file),
                 step->at->line);
    line = check_format("%s%s", where, text);
    free(text);
    return line;
}

static void make_rows(struct table *table, const struct steps *steps, bool all)
{
    enum { FEW = 3 };
    size_t from = !all && steps->setup > FEW ? steps->setup : 0;
    table->file = steps->file;
    table->folded = from;
    for (size_t i = from; i < steps->n; i++) {
        const struct step *step = &steps->step[i];
        struct row row = {step->tid, cell(steps, step), step->times, step->kind == STEP_ERROR};
        ARRAY_PUSH(table->rows, table->nrows, table->max_rows, row);
    }
}

/* ---- columns --------------------------------------------------------------------- */

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
            fresh.width = letters(fresh.title);
            ARRAY_PUSH(table->columns, table->ncolumns, table->max_columns, fresh);
            column = &table->columns[table->ncolumns - 1];
        }
        size_t width = letters(row->text) + (row->times > 1 ? 8 : 0);
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

/* Narrows the widest columns until all fit; false if they can't. */
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

/* ---- printing -------------------------------------------------------------------- */

/* Returns how many bytes of a text go on a line of this width: whole words, or names up to a
 * dot or the like. */
static size_t line_length(const char *text, size_t width)
{
    size_t n = bytes_of(text, width);
    if (!text[n])
        return n;
    for (size_t i = n; i > n / 3; i--)
        if (text[i] == ' ')
            return i;
    for (size_t i = n; i > n / 3; i--)
        if (strchr(".[(:>/", text[i]))
            return i;
    return n;
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
    char *text = check_format(row->times > 1 ? "%s (%zu x)" : "%s", row->text, row->times);
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
        size_t n = letters(column->title);
        size_t rest = n < column->width ? column->width - n : 0;
        fprintf(report->out, "%.*s%*s", (int)bytes_of(column->title, column->width),
                column->title, last ? 0 : (int)rest + GAP, "");
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
    size_t width = 0;
    for (size_t i = 0; i < table->ncolumns; i++)
        if (letters(table->columns[i].title) > width)
            width = letters(table->columns[i].title);
    for (size_t i = from; i < table->nrows; i++) {
        const struct row *row = &table->rows[i];
        const char *title = column_of(table, row->tid)->title;
        fprintf(report->out, "%s%4zu%s %s%s%*s  %s", report_style(report, STYLE_DIM),
                table->folded + i + 1, report_style(report, STYLE_PLAIN),
                row->error ? report_style(report, STYLE_ERROR) : "", title,
                (int)(width - letters(title)), "", row->text);
        if (row->times > 1)
            fprintf(report->out, " (%zu x)", row->times);
        fprintf(report->out, "%s\n", row->error ? report_style(report, STYLE_PLAIN) : "");
    }
}

void report_events(const struct report *report, const struct cex *cex)
{
    struct table table = {0};
    struct steps steps;
    bool all = report->trace == REPORT_FULL;
    steps_make(&steps, cex, all);
    make_rows(&table, &steps, all);
    make_columns(&table, cex);
    size_t from = 0;
    if (report->trace != REPORT_FULL && table.nrows > MAX_ROWS)
        from = table.nrows - MAX_ROWS;
    bool list = report->trace == REPORT_LIST || all || !fit_columns(&table, report->width);
    bool only_error = table.nrows == 1 && table.rows[0].error;
    if (table.nrows && !only_error) {
        fputs("\nTrace", report->out);
        if (table.file)
            fprintf(report->out, " (line numbers refer to %s)", check_basename(table.file));
        fputs(":\n\n", report->out);
        if (!list)
            print_titles(report, &table);
        if (table.folded)
            fprintf(report->out, "     ... %zu steps before the second thread: --trace=full\n",
                    table.folded);
        if (from)
            fprintf(report->out, "     ... %zu rows more: --trace=full\n", from);
        if (list)
            print_list(report, &table, from);
        for (size_t i = from; !list && i < table.nrows; i++)
            print_row(report, &table, table.folded + i + 1, &table.rows[i]);
    }
    for (size_t i = 0; i < table.nrows; i++)
        free(table.rows[i].text);
    free(table.rows);
    free(table.columns);
    steps_fini(&steps);
}
