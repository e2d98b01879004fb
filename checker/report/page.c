/* page.c - see page.h.  The page is a template (page/page.html) with a style sheet, a script
 * and its data as JSON; the script shows them. */
#include "page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/memory.h"
#include "report.h"
#include "step.h"

enum { MAX_SOURCE = 1 << 20 }; /* bytes of a file that are shown */

/* C23, which clang has in C17 as well. */
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
static const char template[] = {
#embed "page/page.html"
    , 0};
static const char style[] = {
#embed "page/page.css"
    , 0};
static const char model[] = {
#embed "page/model.js"
    , 0};
static const char lanes[] = {
#embed "page/lanes.js"
    , 0};
static const char source[] = {
#embed "page/source.js"
    , 0};
static const char variables[] = {
#embed "page/variables.js"
    , 0};
static const char memory[] = {
#embed "page/memory.js"
    , 0};
static const char begin[] = {
#embed "page/main.js"
    , 0};
#pragma clang diagnostic pop

/* The stamp of the template, which tells one from another; the Makefile gives it. */
#ifndef PAGE_STAMP
#define PAGE_STAMP ""
#endif

static const char *const scripts[] = {model, lanes, source, variables, memory, begin};

/* ---- data ------------------------------------------------------------------------ */

static json_t *string(const char *text)
{
    return text ? report_json_text(text, strlen(text)) : json_null();
}

/* Returns the index of a path in an array of them, to which it is added. */
static int file_index(json_t *files, const char *path)
{
    size_t k;
    json_t *file;
    json_array_foreach(files, k, file)
    {
        if (!strcmp(json_string_value(file), path))
            return (int)k;
    }
    json_array_append_new(files, string(path));
    return (int)json_array_size(files) - 1;
}

static json_t *place_json(json_t *files, const struct cex_place *place)
{
    return json_pack("[o, i, i]", string(place->function), file_index(files, place->file),
                     (int)place->line);
}

static json_t *stack_json(json_t *files, const struct cex_stack *stack)
{
    json_t *places = json_array();
    for (size_t k = 0; stack && k < stack->n; k++)
        if (!stack->places[k].library && stack->places[k].line)
            json_array_append_new(places, place_json(files, &stack->places[k]));
    return places;
}

static json_t *step_json(json_t *files, const struct step *step)
{
    char *text = step_text(step);
    json_t *json = json_pack(
        "{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "kind", step_kind_text(step->kind),
        "thread", (json_int_t)step->tid, "text", string(text), "at",
        step->at->line ? place_json(files, step->at) : json_null(), "object",
        string(step->object), "type", string(step->type), "before", string(step->before),
        "after", string(step->after), "action", vm_action_text(step->action));
    free(text);
    if (step->stack)
        json_object_set_new(json, "stack", stack_json(files, step->stack));
    if (step->times > 1)
        json_object_set_new(json, "times", json_integer((json_int_t)step->times));
    if (step->owner)
        json_object_set_new(json, "owner", json_integer((json_int_t)step->owner));
    return json;
}

static json_t *threads_json(const struct cex *cex)
{
    json_t *threads = json_array();
    for (size_t k = 0; k < cex->nthreads; k++) {
        char name[128];
        report_thread_name(name, sizeof name, &cex->threads[k]);
        json_array_append_new(
            threads, json_pack("{s:I, s:o, s:b}", "id", (json_int_t)cex->threads[k].tid, "name",
                               string(name), "failed", cex_has_failed(cex, &cex->threads[k])));
    }
    return threads;
}

/* Returns the text of a file, as far as it is shown; null if it cannot be read. */
static json_t *source_json(const char *path)
{
    FILE *in = fopen(path, "re");
    char *bytes = in ? check_zeros(MAX_SOURCE + 1, 1) : NULL;
    size_t n = in ? fread(bytes, 1, MAX_SOURCE + 1, in) : 0;
    bool cut = n > MAX_SOURCE, good = in && !ferror(in);
    if (in)
        fclose(in);
    if (cut)
        n = MAX_SOURCE;
    json_t *text = good ? report_json_text(bytes, n) : json_null();
    free(bytes);
    return json_pack("{s:o, s:o, s:b}", "path", string(path), "text", text, "cut", cut);
}

static json_t *output_json(const struct cex *cex, bool all)
{
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    for (size_t k = 0; k < cex->nevents; k++) {
        const struct cex_event *event = &cex->events[k];
        if (event->kind == CEX_OUTPUT && (all || !event->framework))
            fwrite(event->text, 1, event->len, out);
    }
    fclose(out);
    json_t *json = report_json_text(text, size);
    free(text);
    return json;
}

static void add_error(json_t *data, const struct page *page)
{
    const struct cex *cex = page->cex;
    struct steps steps;
    json_t *list = json_array(), *sources = json_array(), *file, *known;
    json_t *files = json_array();
    size_t k;
    known = json_object_get(page->moments, "files");
    json_array_foreach(known, k, file) file_index(files, json_string_value(file));
    steps_make(&steps, cex, page->all);
    for (k = 0; k < steps.n; k++)
        json_array_append_new(list, step_json(files, &steps.step[k]));
    json_object_set_new(data, "steps", list);
    json_object_set_new(data, "arrows", page_arrows(&steps, cex));
    json_object_set_new(data, "setup", json_integer((json_int_t)steps.setup));
    steps_fini(&steps);
    json_object_set_new(data, "threads", threads_json(cex));
    json_object_set_new(data, "values",
                        string(cex->kind == VM_FAULT_ASSERT ? cex->values : NULL));
    json_object_set_new(data, "output", output_json(cex, page->all));
    json_array_foreach(files, k, file)
        json_array_append_new(sources, source_json(json_string_value(file)));
    json_object_set_new(data, "sources", sources);
    json_decref(files);
    if (page->moments)
        json_object_set(data, "replay", page->moments);
}

static json_t *page_data(const struct page *page)
{
    const struct check_result *result = page->result;
    bool error = page->cex && page->cex->failed;
    char *headline = error                         ? report_headline(page->cex)
                     : result->outcome == CHECK_OK ? report_complete(result)
                                                   : report_incomplete(result, page->search);
    const char *verdict = result->outcome == CHECK_OK      ? "no error found"
                          : result->outcome == CHECK_ERROR ? "error"
                                                           : "incomplete";
    json_t *data = json_pack(
        "{s:i, s:s, s:s, s:o, s:s, s:o, s:I, s:I, s:o, s:o, s:o}", "format", 1, "version",
        CHECK_VERSION, "template", PAGE_STAMP, "title", string(page->title), "verdict", verdict,
        "headline", string(headline), "states", (json_int_t)result->stats.states, "transitions",
        (json_int_t)result->stats.transitions, "hint", string(page->hint), "again",
        string(page->replay), "orders", string(page->orders));
    free(headline);
    if (page->notes)
        json_object_set(data, "notes", page->notes);
    if (error)
        add_error(data, page);
    return data;
}

/* ---- writing --------------------------------------------------------------------- */

/* Writes data so that nothing in it is taken for a tag: "<" is in strings only. */
static int put_data(const char *bytes, size_t n, void *out)
{
    for (size_t k = 0; k < n; k++)
        if (bytes[k] == '<')
            fputs("\\u003c", out);
        else
            fputc(bytes[k], out);
    return 0;
}

static void put_escaped(FILE *out, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: fputc(*text, out);
        }
}

/* Writes the template, with each {{NAME}} replaced. */
static void put_page(FILE *out, const struct page *page, json_t *data)
{
    const char *at = template, *mark;
    for (; (mark = strstr(at, "{{")); at = strstr(mark, "}}") + 2) {
        fwrite(at, 1, (size_t)(mark - at), out);
        if (!strncmp(mark, "{{style}}", 9))
            fputs(style, out);
        else if (!strncmp(mark, "{{script}}", 10))
            for (size_t k = 0; k < sizeof scripts / sizeof *scripts; k++)
                fputs(scripts[k], out);
        else if (!strncmp(mark, "{{title}}", 9))
            put_escaped(out, page->title);
        else
            json_dump_callback(data, put_data, out, JSON_COMPACT);
    }
    fputs(at, out);
}

bool page_write(const struct page *page, const char *file)
{
    FILE *out = fopen(file, "we");
    bool good = out;
    if (out) {
        json_t *data = page_data(page);
        put_page(out, page, data);
        json_decref(data);
        good = !ferror(out);
        good = fclose(out) == 0 && good;
    }
    if (!good)
        fprintf(stderr, "divm: cannot write %s: %s\n", file, strerror(errno));
    return good;
}
