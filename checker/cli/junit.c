/* junit.c - the XML that build servers read: one <testsuite> with a <testcase> each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/cli/junit.h"
#include "checker/memory.h"
#include "checker/report/cex.h"
#include "checker/report/places.h"
#include "checker/report/report.h"
#include "checker/search/check.h"
#include "vm/vm.h"

/* Returns the length of a character of UTF-8 that XML may hold, or 0. */
static size_t character(const unsigned char *at)
{
    static const struct {
        unsigned char mask, is;
        size_t length;
        unsigned long least;
    } forms[] = {{0x80, 0, 1, 0},
                 {0xe0, 0xc0, 2, 0x80},
                 {0xf0, 0xe0, 3, 0x800},
                 {0xf8, 0xf0, 4, 0x10000}};
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
        if ((at[0] & forms[k].mask) != forms[k].is)
            continue;
        unsigned long code = at[0] & (unsigned char)~forms[k].mask;
        for (size_t i = 1; i < forms[k].length; i++) {
            if ((at[i] & 0xc0) != 0x80)
                return 0;
            code = code << 6 | (at[i] & 0x3fu);
        }
        bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
        bool surrogate = code >= 0xd800 && code < 0xe000;
        bool last = code == 0xfffe || code == 0xffff || code > 0x10ffff;
        return code >= forms[k].least && !control && !surrogate && !last ? forms[k].length : 0;
    }
    return 0;
}

static void put_text(FILE *out, const char *text)
{
    static const char *const names[128] = {
        ['<'] = "&lt;", ['>'] = "&gt;", ['&'] = "&amp;", ['"'] = "&quot;", ['\n'] = "&#10;"};
    while (*text) {
        unsigned char c = (unsigned char)*text;
        size_t n = character((const unsigned char *)text);
        if (!n)
            fputs("?", out);
        else if (c < 128 && names[c])
            fputs(names[c], out);
        else
            fwrite(text, 1, n, out);
        text += n ? n : 1;
    }
}

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    put_text(out, value);
    fputc('"', out);
}

void junit_open(struct junit *junit)
{
    *junit = (struct junit){0};
    junit->cases = check_text_stream(&junit->text, &junit->size);
}

/* Writes a case's name.  "Suite.Case" has a class of its own; other cases, and those named like
 * their file, belong to the file's. */
static void put_name(FILE *out, const char *suite, const char *name)
{
    const char *dot = strchr(name, '.');
    bool parts = dot && dot > name && dot[1] && !strchr(name, ' ') && strcmp(name, suite);
    char *class =
        check_strndup(parts ? name : suite, parts ? (size_t)(dot - name) : strlen(suite));
    put_attribute(out, "classname", class ? class : suite);
    put_attribute(out, "name", parts ? dot + 1 : name);
    free(class);
}

/* Writes what went wrong, and the whole report of it. */
static void put_failure(FILE *out, const struct cex *cex)
{
    char *text = NULL, *headline = report_headline(cex);
    size_t size;
    FILE *memory = check_text_stream(&text, &size);
    struct report report = {.out = memory, .width = 100};
    report_error(&report, cex);
    fclose(memory);
    fputs("<failure", out);
    put_attribute(out, "type", vm_fault_text(cex->kind));
    put_attribute(out, "message", headline);
    fputc('>', out);
    put_text(out, text);
    fputs("</failure>", out);
    free(text);
    free(headline);
}

static void put_error(FILE *out, const struct check_result *result,
                      const struct check_options *options)
{
    char *text = NULL, *why = report_incomplete(result, options);
    char *proven = report_proven(result), *message = check_format("%s: %s", why, proven);
    size_t size;
    FILE *memory = check_text_stream(&text, &size);
    report_left(memory, result, options);
    fclose(memory);
    fputs("<error type=\"incomplete\"", out);
    put_attribute(out, "message", message);
    fputc('>', out);
    put_text(out, text);
    fputs("</error>", out);
    free(message);
    free(proven);
    free(text);
    free(why);
}

/* Writes what a proof leaves open. */
static void put_complete(FILE *out, const struct check_result *result)
{
    if (!result->weak && !result->strong_exchanges && !result->large_atomics &&
        !report_vacuous(result))
        return;
    char *text = report_complete(result);
    fputs("<system-out>", out);
    put_text(out, text);
    fputs("</system-out>", out);
    free(text);
}

/* Writes where the error is, or else the file of the test. */
static void put_place(FILE *out, const char *file, const struct cex_place *place)
{
    char *name = places_name(place ? place->file : file);
    put_attribute(out, "file", name);
    if (place)
        fprintf(out, " line=\"%u\"", place->line);
    free(name);
}

void junit_add(struct junit *junit, const char *suite, const char *name, const char *file,
               const struct check_result *result, const struct check_options *options,
               const struct cex *cex)
{
    FILE *out = junit->cases;
    bool error = result && result->outcome == CHECK_ERROR;
    double seconds = result ? result->stats.seconds : 0;
    junit->tests++;
    junit->seconds += seconds;
    fputs("  <testcase", out);
    put_name(out, suite, name);
    put_place(out, file, error ? cex_user_place(&cex->stack) : NULL);
    fprintf(out, " time=\"%.3f\">", seconds);
    if (!result) {
        junit->skipped++;
        fputs("<skipped/>", out);
    } else if (error) {
        junit->failures++;
        put_failure(out, cex);
    } else if (result->outcome != CHECK_OK) {
        junit->errors++;
        put_error(out, result, options);
    } else {
        put_complete(out, result);
    }
    fputs("</testcase>\n", out);
}

char *junit_close(struct junit *junit, const char *suite)
{
    char *text = NULL;
    size_t size;
    FILE *out = check_text_stream(&text, &size);
    fclose(junit->cases);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n <testsuite", out);
    put_attribute(out, "name", suite);
    fprintf(out,
            " tests=\"%u\" failures=\"%u\" errors=\"%u\" skipped=\"%u\" time=\"%.3f\">\n"
            "%s </testsuite>\n</testsuites>\n",
            junit->tests, junit->failures, junit->errors, junit->skipped, junit->seconds,
            junit->text);
    fclose(out);
    free(junit->text);
    return text;
}
