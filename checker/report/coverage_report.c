/* coverage_report.c - coverage as text, as JSON and for lcov. */
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/memory.h"
#include "checker/report/coverage.h"

enum { MOST = 8 }; /* places that are listed of each kind */

/* ---- text ------------------------------------------------------------------------ */

/* Neighbouring lines that were not reached. */
struct range {
    const char *file;
    unsigned first, last;
    size_t lines;
};

struct ranges {
    struct range *at;
    size_t n, max;
};

static int longest_first(const void *x, const void *y)
{
    const struct range *a = x, *b = y;
    int files = strcmp(a->file, b->file);
    return a->lines != b->lines ? (a->lines > b->lines ? -1 : 1)
           : files              ? files
                                : (a->first < b->first ? -1 : 1);
}

static struct ranges never_reached(const struct coverage_list *lines)
{
    struct ranges ranges = {0};
    bool open = false;
    for (size_t i = 0; i < lines->n; i++) {
        const struct coverage_item *line = &lines->at[i];
        struct range *last = ranges.n ? &ranges.at[ranges.n - 1] : NULL;
        if (coverage_reached(line)) {
            open = false;
        } else if (open && !strcmp(last->file, line->file)) {
            last->last = line->line;
            last->lines++;
        } else {
            struct range new = {line->file, line->line, line->line, 1};
            ARRAY_PUSH(ranges.at, ranges.n, ranges.max, new);
            open = true;
        }
    }
    if (ranges.n)
        qsort(ranges.at, ranges.n, sizeof *ranges.at, longest_first);
    return ranges;
}

/* Begins the k-th entry of a list: prints its title, or what separates it from the one before;
 * false: no more are told. */
static bool begin_entry(FILE *out, const char *title, size_t k)
{
    if (k < MOST)
        fputs(k ? ", " : title, out);
    return k < MOST;
}

static void end_entries(FILE *out, size_t n)
{
    if (n > MOST)
        fprintf(out, ", and %zu more", n - MOST);
    if (n)
        fputc('\n', out);
}

static void print_functions(FILE *out, const struct coverage_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct coverage_item *item = &list->at[i];
        if (!coverage_reached(item) && begin_entry(out, "  never called: ", n++))
            fprintf(out, "%s (%s:%u)", item->function, check_basename(item->file), item->line);
    }
    end_entries(out, n);
}

static void print_lines(FILE *out, const struct coverage_list *list)
{
    struct ranges ranges = never_reached(list);
    for (size_t i = 0; i < ranges.n; i++) {
        const struct range *r = &ranges.at[i];
        if (!begin_entry(out, "  never reached: ", i))
            break;
        fprintf(out, "%s:%u", check_basename(r->file), r->first);
        if (r->last != r->first)
            fprintf(out, "-%u", r->last);
    }
    end_entries(out, ranges.n);
    free(ranges.at);
}

static void print_branch(FILE *out, const struct coverage_item *item)
{
    size_t never = 0;
    for (unsigned k = 0; k < item->ways; k++)
        never += !item->taken[k];
    fprintf(out, "%s:%u", check_basename(item->file), item->line);
    if (item->ways == 2)
        fprintf(out, " (%s)", item->taken[0] ? "always true" : "never true");
    else
        fprintf(out, " (%zu of %u cases never)", never, item->ways);
}

static void print_branches(FILE *out, const struct coverage_list *list)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct coverage_item *item = &list->at[i];
        if (coverage_reached(item) && !coverage_is_whole(item) &&
            begin_entry(out, "  never decided otherwise: ", n++))
            print_branch(out, item);
    }
    end_entries(out, n);
}

static void print_encounters(FILE *out, const struct coverage *c)
{
    if (!c->knows_encounters)
        return;
    fprintf(out,
            "Interleaved: %zu pair%s of conflicting accesses in both orders, at %zu line%s\n",
            c->nencounters, c->nencounters == 1 ? "" : "s", c->points.n,
            c->points.n == 1 ? "" : "s");
    for (size_t i = 0; i < c->nencounters; i++) {
        const struct encounter *m = &c->encounters[i];
        if (!begin_entry(out, "  either came first: ", i))
            break;
        fprintf(out, "%s:%u and ", check_basename(m->at[0].file), m->at[0].line);
        if (strcmp(m->at[0].file, m->at[1].file) != 0)
            fprintf(out, "%s:", check_basename(m->at[1].file));
        fprintf(out, "%u%s%s%s", m->at[1].line, *m->object ? " (" : "", m->object,
                *m->object ? ")" : "");
    }
    end_entries(out, c->nencounters);
}

void coverage_print(FILE *out, const struct coverage *c)
{
    fprintf(out,
            "Covered: %zu of %zu lines, %zu of %zu functions, %zu of %zu branches all ways\n",
            coverage_whole(&c->lines), c->lines.n, coverage_whole(&c->functions),
            c->functions.n, coverage_whole(&c->branches), c->branches.n);
    print_functions(out, &c->functions);
    print_lines(out, &c->lines);
    print_branches(out, &c->branches);
    print_encounters(out, c);
}

/* ---- JSON ------------------------------------------------------------------------ */

static json_t *item_json(const struct coverage_item *item)
{
    json_t *one = json_pack("{s:s, s:i}", "file", item->file, "line", (int)item->line);
    if (*item->function)
        json_object_set_new(one, "function", json_string(item->function));
    if (item->ways > 1) {
        json_t *taken = json_array();
        for (unsigned k = 0; k < item->ways; k++)
            json_array_append_new(taken, json_boolean(item->taken[k]));
        json_object_set_new(one, "column", json_integer(item->column));
        json_object_set_new(one, "taken", taken);
    }
    return one;
}

static json_t *list_json(const struct coverage_list *list)
{
    json_t *missing = json_array();
    for (size_t i = 0; i < list->n; i++)
        if (!coverage_is_whole(&list->at[i]))
            json_array_append_new(missing, item_json(&list->at[i]));
    return json_pack("{s:I, s:I, s:o}", "all", (json_int_t)list->n, "covered",
                     (json_int_t)coverage_whole(list), "missing", missing);
}

/* Returns the encounters as JSON; null if nothing is known of them. */
static json_t *encounters_json(const struct coverage *c)
{
    json_t *pairs = json_array(), *points = json_array();
    for (size_t i = 0; i < c->nencounters; i++) {
        const struct encounter *m = &c->encounters[i];
        json_t *accesses = json_array();
        for (int k = 0; k < 2; k++)
            json_array_append_new(accesses, json_pack("{s:s, s:i}", "file", m->at[k].file,
                                                      "line", (int)m->at[k].line));
        json_t *pair = json_pack("{s:o}", "accesses", accesses);
        if (*m->object)
            json_object_set_new(pair, "object", json_string(m->object));
        json_array_append_new(pairs, pair);
    }
    for (size_t i = 0; i < c->points.n; i++)
        json_array_append_new(points, item_json(&c->points.at[i]));
    json_t *both = json_pack("{s:o, s:o}", "pairs", pairs, "points", points);
    if (c->knows_encounters)
        return both;
    json_decref(both);
    return json_null();
}

json_t *coverage_json(const struct coverage *c)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "lines", list_json(&c->lines), "functions",
                     list_json(&c->functions), "branches", list_json(&c->branches),
                     "interleaved", encounters_json(c));
}

/* ---- lcov ------------------------------------------------------------------------ */

static size_t count_in(const struct coverage_list *list, const char *file, bool whole)
{
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += !strcmp(list->at[i].file, file) && (!whole || coverage_is_whole(&list->at[i]));
    return n;
}

/* Prints a function's name.  Fields end at commas.  lcov tells functions apart by their names,
 * which overloaded ones have in common: they are given their lines. */
static void put_name(FILE *out, const struct coverage_list *list,
                     const struct coverage_item *item)
{
    size_t same = 0;
    for (size_t i = 0; i < list->n; i++)
        same += !strcmp(list->at[i].file, item->file) &&
                !strcmp(list->at[i].function, item->function);
    for (const char *at = item->function; *at; at++)
        fputc(*at == ',' ? ';' : *at, out);
    if (same > 1)
        fprintf(out, " (line %u)", item->line);
    fputc('\n', out);
}

static void put_functions(FILE *out, const struct coverage_list *list, const char *file)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i].file, file))
            fprintf(out, "FN:%u,", list->at[i].line), put_name(out, list, &list->at[i]);
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i].file, file))
            fprintf(out, "FNDA:%d,", list->at[i].taken[0]), put_name(out, list, &list->at[i]);
    fprintf(out, "FNF:%zu\nFNH:%zu\n", count_in(list, file, false), count_in(list, file, true));
}

/* Prints the branches of a line, which are numbered, as their outcomes are. */
static void put_branches(FILE *out, const struct coverage_list *list, const char *file)
{
    size_t found = 0, hit = 0;
    unsigned block = 0;
    for (size_t i = 0; i < list->n; i++) {
        const struct coverage_item *item = &list->at[i];
        bool reached = coverage_reached(item);
        if (strcmp(item->file, file) != 0)
            continue;
        block = i && list->at[i - 1].line == item->line ? block + 1 : 0;
        for (unsigned k = 0; k < item->ways; k++) {
            fprintf(out, "BRDA:%u,%u,%u,%s\n", item->line, block, k,
                    !reached         ? "-"
                    : item->taken[k] ? "1"
                                     : "0");
            found++;
            hit += item->taken[k];
        }
    }
    fprintf(out, "BRF:%zu\nBRH:%zu\n", found, hit);
}

static void put_lines(FILE *out, const struct coverage_list *list, const char *file)
{
    for (size_t i = 0; i < list->n; i++)
        if (!strcmp(list->at[i].file, file))
            fprintf(out, "DA:%u,%d\n", list->at[i].line, list->at[i].taken[0]);
    fprintf(out, "LF:%zu\nLH:%zu\n", count_in(list, file, false), count_in(list, file, true));
}

/* Prints a file's name; one that is not absolute is relative to the current folder. */
static void put_file(FILE *out, const char *file)
{
    char *real = realpath(file, NULL);
    fprintf(out, "TN:\nSF:%s\n", real ? real : file);
    free(real);
}

/* All files have lines, as there is one in each function. */
char *coverage_lcov(const struct coverage *c)
{
    char *text;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    for (size_t i = 0; i < c->lines.n; i++) {
        const char *file = c->lines.at[i].file;
        if (i && !strcmp(c->lines.at[i - 1].file, file))
            continue;
        put_file(out, file);
        put_functions(out, &c->functions, file);
        put_branches(out, &c->branches, file);
        put_lines(out, &c->lines, file);
        fputs("end_of_record\n", out);
    }
    fclose(out);
    return text;
}
