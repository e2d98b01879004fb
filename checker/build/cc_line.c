/* cc_line.c - parses a compiler's command line.  The options that matter are in
 * cc_options.def. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"
#include "checker/build/cc.h"
#include "checker/build/target.h"
#include "checker/memory.h"

enum form { ALONE, JOINED, APART, EITHER };
enum use { COMPILE, INCLUDE, LINK, BOTH, MODE, DEPENDS, DROP, TARGET };

struct cc_option {
    const char *name;
    enum form form;
    enum use use;
};

static const struct cc_option cc_options[] = {
#define CC_OPTION(name, form, use) {name, form, use},
#include "cc_options.def"
};

/* ---- words ----------------------------------------------------------------------- */

/* Returns one word of a line that is quoted as in a shell; *at moves behind it. */
static char *next_word(const char **at)
{
    const char *from = *at + strspn(*at, " \t\r\n");
    char *word = check_zeros(1, strlen(from) + 1), *to = word, quote = 0;
    for (; *from && (quote || !isspace((unsigned char)*from)); from++) {
        if (quote == *from)
            quote = 0;
        else if (!quote && (*from == '\'' || *from == '"'))
            quote = *from;
        else if (*from == '\\' && quote != '\'' && from[1])
            *to++ = *++from;
        else
            *to++ = *from;
    }
    *to = '\0';
    *at = from + strspn(from, " \t\r\n");
    return word;
}

void cc_split(const char *text, struct strings *words)
{
    text += strspn(text, " \t\r\n");
    while (*text) {
        char *word = next_word(&text);
        strings_add(words, word);
        free(word);
    }
}

/* Reads the words of a response file (@FILE). */
static bool read_words(const char *file, struct strings *words)
{
    char *text = NULL;
    size_t size = 0;
    FILE *in = fopen(file, "r");
    if (!in)
        return false;
    if (getdelim(&text, &size, '\0', in) > 0)
        cc_split(text, words);
    free(text);
    fclose(in);
    return true;
}

static void expand(struct strings *all, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (*words[i] != '@' || !read_words(words[i] + 1, all))
            strings_add(all, words[i]);
}

/* ---- options --------------------------------------------------------------------- */

static const struct cc_option *find(const char *word)
{
    for (size_t i = 0; i < sizeof cc_options / sizeof *cc_options; i++) {
        const struct cc_option *option = &cc_options[i];
        bool joined = option->form == JOINED || option->form == EITHER;
        size_t n = strlen(option->name);
        if (joined ? !strncmp(word, option->name, n) : !strcmp(word, option->name))
            return option;
    }
    return NULL;
}

static void replace(char **text, const char *value)
{
    free(*text);
    *text = check_strdup(value);
}

/* Sets what is to be done, and where to. */
static void set_mode(struct cc_line *line, const char *name, const char *value)
{
    if (!strcmp(name, "-o")) {
        replace(&line->output, value);
    } else if (!strcmp(name, "-x")) {
        free(line->language);
        line->language = strcmp(value, "none") ? check_strdup(value) : NULL;
    } else if (!strcmp(name, "-c")) {
        line->mode = line->mode == CC_OTHER ? CC_OTHER : CC_OBJECTS;
    } else if (!strcmp(name, "-shared")) {
        line->shared = true;
    } else if (!strcmp(name, "-r")) {
        line->relocatable = true;
    } else {
        line->mode = CC_OTHER;
    }
}

/* Sets -MD and the others of its kind; value: or NULL. */
static void set_depends(struct cc_line *line, const char *name, const char *value)
{
    line->writes_depends |= !strcmp(name, "-MD") || !strcmp(name, "-MMD");
    line->names_depends |= !strcmp(name, "-MF");
    line->names_target |= !strcmp(name, "-MT") || !strcmp(name, "-MQ");
    strings_add(&line->depends, name);
    if (value)
        strings_add(&line->depends, value);
}

/* Adds an option.  One that may be written in one word with its value is. */
static void add_option(struct strings *list, const struct cc_option *option, const char *word,
                       const char *value)
{
    char *whole = NULL;
    if (value && option->form == EITHER)
        whole = check_format("%s%s", word, value);
    strings_add(list, whole ? whole : word);
    if (value && !whole)
        strings_add(list, value);
    free(whole);
}

static void set_option(struct cc_line *line, const struct cc_option *option, const char *word,
                       const char *value)
{
    static const char own_machine[] = "x86_64-";
    bool apart = value && value != word + strlen(option->name);
    enum use use = option->use;
    if (use == TARGET && value && strncmp(value, own_machine, strlen(own_machine)) != 0)
        use = COMPILE;
    if (use == MODE)
        set_mode(line, option->name, value);
    if (use == DEPENDS)
        set_depends(line, option->name, value);
    if (use == COMPILE || use == BOTH || (use == INCLUDE && !cc_is_host_folder(value))) {
        add_option(&line->compile, option, word, apart ? value : NULL);
        /* a precompiled header is no object */
        if (value && !strcmp(value, "-emit-pch"))
            line->mode = CC_OTHER;
    }
    if (use == LINK || use == BOTH)
        add_option(&line->link, option, word, apart ? value : NULL);
}

/* Returns the value of an option: in its word, or the next one. */
static const char *value_of(const struct cc_option *option, const char *word, const char *next)
{
    size_t length = strlen(option->name);
    if (option->form == JOINED || (option->form == EITHER && word[length]))
        return word + length;
    return option->form == ALONE ? NULL : next;
}

size_t cc_take(struct strings *compile, const char *word, const char *next)
{
    const struct cc_option *option = find(word);
    const char *value = option ? value_of(option, word, next) : NULL;
    struct cc_line line = {0};
    if (!option || option->use == MODE || (!value && option->form != ALONE))
        return 0;
    set_option(&line, option, word, value);
    for (size_t i = 0; i < line.compile.n; i++)
        strings_add(compile, line.compile.at[i]);
    cc_fini(&line);
    return value && value == next ? 2 : 1;
}

bool cc_is_mode(const char *word)
{
    const struct cc_option *option = find(word);
    return option && option->use == MODE;
}

const char *cc_name(size_t i, bool *joined)
{
    bool there = i < sizeof cc_options / sizeof *cc_options;
    *joined = there && cc_options[i].form == JOINED;
    return there ? cc_options[i].name : NULL;
}

bool cc_is_option(const char *word)
{
    const char *name;
    bool joined;
    for (size_t i = 0; (name = cc_name(i, &joined)); i++)
        if (strcspn(name, "=") == strcspn(word, "=") &&
            !strncmp(name, word, strcspn(name, "=")))
            return true;
    return false;
}

/* ---- files ----------------------------------------------------------------------- */

static bool is_source(const char *file)
{
    static const char *const suffixes[] = {".c",  ".cc",  ".cpp", ".cxx", ".c++", ".cp",
                                           ".C",  ".CPP", ".i",   ".ii",  ".s",   ".S",
                                           ".sx", ".bc",  ".ll",  "-"};
    const char *dot = strcmp(file, "-") ? strrchr(file, '.') : file;
    for (size_t i = 0; dot && i < sizeof suffixes / sizeof *suffixes; i++)
        if (!strcmp(dot, suffixes[i]))
            return true;
    return false;
}

static void add_file(struct cc_line *line, const char *file)
{
    if (line->language && strstr(line->language, "header"))
        line->mode = CC_OTHER;
    if (line->language || is_source(file)) {
        struct cc_source source = {.file = check_strdup(file), .at = line->link.n};
        if (line->language)
            source.language = check_strdup(line->language);
        ARRAY_PUSH(line->sources, line->nsources, line->max, source);
    }
    strings_add(&line->link, file);
}

bool cc_parse(struct cc_line *line, const char *const *words, size_t n)
{
    size_t files = 0;
    expand(&line->all, words, n);
    for (size_t i = 0; i < line->all.n; i++) {
        const char *word = line->all.at[i], *value = NULL;
        if (*word != '-' || !word[1]) {
            add_file(line, word);
            files++;
            continue;
        }
        const struct cc_option *option = find(word);
        if (!option) {
            strings_add(&line->compile, word);
            continue;
        }
        const char *next = i + 1 < line->all.n ? line->all.at[i + 1] : NULL;
        value = value_of(option, word, next);
        i += value && value == next;
        if (!value && option->form != ALONE) {
            fprintf(stderr, "divm: %s requires a value\n", word);
            return false;
        }
        set_option(line, option, word, value);
    }
    if (!files)
        line->mode = CC_OTHER;
    return true;
}

void cc_fini(struct cc_line *line)
{
    for (size_t i = 0; i < line->nsources; i++) {
        free(line->sources[i].file);
        free(line->sources[i].language);
    }
    free(line->sources);
    free(line->output);
    free(line->language);
    strings_fini(&line->all);
    strings_fini(&line->compile);
    strings_fini(&line->depends);
    strings_fini(&line->link);
}
