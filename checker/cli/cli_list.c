/* cli_list.c - the cases of a test program, as its framework lists them: the program is
 * executed once with the options that ask for a list. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/build/compile.h"
#include "checker/build/framework.h"
#include "checker/build/limits.h"
#include "checker/cli/cli.h"
#include "checker/cli/cli_list.h"
#include "checker/cli/cli_run.h"
#include "checker/memory.h"
#include "checker/program.h"
#include "checker/search/apart.h"

__attribute__((format(printf, 2, 3))) static void add_word(struct strings *list,
                                                           const char *format, ...)
{
    char *word;
    va_list ap;
    va_start(ap, format);
    word = vasprintf(&word, format, ap) < 0 ? NULL : word;
    va_end(ap);
    strings_add(list, check_memory(word));
    free(word);
}

static struct framework_case *add_case(struct framework_cases *cases, char *name)
{
    struct framework_case one = {.name = name};
    ARRAY_PUSH(cases->at, cases->n, cases->max, one);
    return &cases->at[cases->n - 1];
}

void framework_fini(struct framework_cases *cases)
{
    for (size_t i = 0; i < cases->n; i++) {
        free(cases->at[i].name);
        strings_fini(&cases->at[i].arguments);
        strings_fini(&cases->at[i].environment);
    }
    free(cases->at);
}

/* Returns the text with a backslash before each of these characters; malloc'ed. */
static char *escaped(const char *text, const char *special)
{
    char *copy = check_zeros(2, strlen(text) + 1), *to = copy;
    for (; *text; text++) {
        if (strchr(special, *text))
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return copy;
}

/* Reads GoogleTest's list: "Suite.", and below it "  Case  # what its parameter is". */
static void read_gtest(char *text, struct framework_cases *cases)
{
    char *line, *suite = NULL;
    while ((line = strsep(&text, "\n"))) {
        size_t n = strcspn(line, " #");
        if (*line != ' ') {
            bool is_suite = n > 1 && line[n - 1] == '.';
            suite = is_suite ? line : NULL;
            line[n] = '\0';
        } else if (suite && !strncmp(line, "  ", 2)) {
            n = strcspn(line + 2, " #");
            char *name = check_format("%s%.*s", suite, (int)n, line + 2);
            struct framework_case *one = add_case(cases, name);
            one->skipped = strstr(name, "DISABLED_") != NULL;
            add_word(&one->arguments, "--gtest_filter=%s", name);
        }
    }
}

/* Reads Catch2's list: a name per line.  The parts of a name of several lines are no names, and
 * are told to be none. */
static void read_catch2(char *text, struct framework_cases *cases)
{
    char *line;
    while ((line = strsep(&text, "\n"))) {
        size_t n = strlen(line);
        if (!n)
            continue;
        bool quoted = n > 2 && line[0] == '"' && line[1] == '#';
        struct framework_case *one =
            add_case(cases, quoted ? check_strndup(line + 1, n - 2) : check_strndup(line, n));
        char *pattern = escaped(one->name, "\\,[\"");
        add_word(&one->arguments, "%s%s", *pattern == '~' ? "\\" : "", pattern);
        free(pattern);
        strings_add(&one->arguments, "--use-colour");
        strings_add(&one->arguments, "no");
        strings_add(&one->arguments, "--warn");
        strings_add(&one->arguments, "NoTests");
    }
}

/* Replaces what XML escapes. */
static void unescape(char *text)
{
    static const struct {
        const char *name;
        char is;
    } entities[] = {
        {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&amp;", '&'}};
    char *to = text;
    while (*text) {
        size_t k = 0, n = sizeof entities / sizeof *entities;
        while (k < n && strncmp(text, entities[k].name, strlen(entities[k].name)) != 0)
            k++;
        *to++ = k < n ? entities[k].is : *text;
        text += k < n ? strlen(entities[k].name) : 1;
    }
    *to = '\0';
}

/* Reads doctest's list: <TestCase name="..." ... skipped="false"/>; those that are skipped are
 * not listed.  A name may be of several lines.  An empty one is what is left if the others
 * go. */
static void read_doctest(char *text, struct framework_cases *cases)
{
    static const char before[] = "<TestCase ", key[] = "name=\"";
    for (char *at = text; (at = strstr(at, before)); at++) {
        bool named = !strncmp(at + strlen(before), key, strlen(key));
        const char *name = at + strlen(before) + strlen(key);
        size_t n = named ? strcspn(name, "\"") : 0;
        struct framework_case *one = add_case(cases, check_strndup(name, n));
        unescape(one->name);
        char *pattern = escaped(one->name, "\\,");
        if (n)
            add_word(&one->arguments, "--test-case=%s", pattern);
        else
            strings_add(&one->arguments, "--test-case-exclude=?*");
        strings_add(&one->arguments, "--case-sensitive=true");
        strings_add(&one->arguments, "--no-colors=true");
        free(pattern);
    }
}

/* Reads the list of libc/frameworks/cmocka_cases.c: a name per line. */
static void read_cmocka(char *text, struct framework_cases *cases)
{
    static const char before[] = "divm case: ";
    char *line;
    while ((line = strsep(&text, "\n"))) {
        if (strncmp(line, before, strlen(before)) != 0)
            continue;
        char *name = check_strdup(line + strlen(before));
        add_word(&add_case(cases, name)->environment, "DIVM_CMOCKA_CASE=%s", name);
    }
}

/* ---- the list -------------------------------------------------------------------- */

static void ask(struct cli_program *program, enum framework framework)
{
    switch (framework) {
    case FRAMEWORK_GTEST: strings_add(&program->arguments, "--gtest_list_tests"); break;
    case FRAMEWORK_CATCH2: strings_add(&program->arguments, "--list-test-names-only"); break;
    case FRAMEWORK_DOCTEST:
        strings_add(&program->arguments, "--list-test-cases");
        strings_add(&program->arguments, "--reporters=xml");
        break;
    case FRAMEWORK_CMOCKA: strings_add(&program->environment, "DIVM_CMOCKA_LIST=1"); break;
    case FRAMEWORK_NONE: break;
    }
}

static void read_cases(char *text, enum framework framework, struct framework_cases *cases)
{
    switch (framework) {
    case FRAMEWORK_GTEST: read_gtest(text, cases); break;
    case FRAMEWORK_CATCH2: read_catch2(text, cases); break;
    case FRAMEWORK_DOCTEST: read_doctest(text, cases); break;
    case FRAMEWORK_CMOCKA: read_cmocka(text, cases); break;
    case FRAMEWORK_NONE: break;
    }
}

static void copy_words(struct strings *to, const struct strings *from)
{
    *to = (struct strings){0};
    for (size_t i = 0; i < from->n; i++)
        strings_add(to, from->at[i]);
}

void framework_start(struct vm_program *loaded, struct cli_program *program,
                     const struct framework_case *one)
{
    for (size_t i = 0; i < one->arguments.n; i++)
        strings_add(&program->arguments, one->arguments.at[i]);
    for (size_t i = 0; i < one->environment.n; i++)
        strings_add(&program->environment, one->environment.at[i]);
    compile_start(loaded, program);
}

void framework_forget(struct cli_program *program, const struct framework_case *one)
{
    for (size_t i = 0; i < one->arguments.n; i++)
        free(program->arguments.at[--program->arguments.n]);
    for (size_t i = 0; i < one->environment.n; i++)
        free(program->environment.at[--program->environment.n]);
}

bool framework_list(const struct cli *cli, struct vm_program *loaded, enum framework framework,
                    struct framework_cases *cases)
{
    struct cli_program program = cli->program;
    copy_words(&program.arguments, &cli->program.arguments);
    copy_words(&program.environment, &cli->program.environment);
    program.boot_options = (program.boot_options | VM_BOOT_RUN) & ~(uint32_t)VM_BOOT_LEAKS;
    ask(&program, framework);
    compile_start(loaded, &program);
    char *text = run_output(cli, loaded);
    if (text)
        read_cases(text, framework, cases);
    bool good = text && cases->n;
    if (!good && build_limits.end == APART_DONE)
        fprintf(stderr, "divm: %s: lists no test cases of %s\n", cli->program.files.at[0],
                framework_name(framework));
    free(text);
    strings_fini(&program.arguments);
    strings_fini(&program.environment);
    return good;
}
