/* file_options.c - options that stand in files: in the lines of FOLDER/.divm, for all sources
 * of the folder, and in lines "// divm: OPTIONS" of a source, for programs that have it. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "checker/build/cache.h"
#include "checker/cli/cli.h"
#include "checker/memory.h"

/* Returns all of a text file, malloc'ed; NULL if it is none: a folder, a pipe, an object. */
static char *read_text(const char *file)
{
    struct stat status;
    size_t size;
    if (stat(file, &status) != 0 || !S_ISREG(status.st_mode))
        return NULL;
    char *text = cache_read(file, &size);
    char *whole = text ? realloc(text, size + 1) : NULL;
    if (!whole || memchr(whole, '\0', size)) {
        free(whole ? whole : text);
        return NULL;
    }
    whole[size] = '\0';
    return whole;
}

static void add(struct file_options *options, const char *file, unsigned line, const char *text,
                size_t length)
{
    while (length && strchr(" \t\r", text[length - 1]))
        length--;
    char *place = check_format("%s:%u", file, line), *copy = check_strndup(text, length);
    strings_add(&options->places, place);
    strings_add(&options->texts, copy);
    free(place);
    free(copy);
}

/* Returns what a line of a source says after "// divm:", or NULL; its end moves to that of a
 * comment. */
static const char *of_source(const char *line, const char **end)
{
    static const char mark[] = "divm:";
    bool block = !strncmp(line, "/*", 2);
    if (!block && strncmp(line, "//", 2) != 0)
        return NULL;
    line += 2;
    line += strspn(line, " \t");
    if (strncmp(line, mark, sizeof mark - 1) != 0)
        return NULL;
    for (const char *at = line; block && at + 1 < *end; at++)
        if (!strncmp(at, "*/", 2))
            *end = at;
    return line + sizeof mark - 1;
}

/* Returns a line of .divm, up to a "#". */
static const char *of_folder(const char *line, const char **end)
{
    const char *comment = memchr(line, '#', (size_t)(*end - line));
    if (comment)
        *end = comment;
    return line;
}

static void read_lines(struct file_options *options, const char *file,
                       const char *(*options_of)(const char *line, const char **end))
{
    char *text = read_text(file);
    unsigned number = 1;
    for (const char *line = text; line && *line; number++) {
        const char *next = line + strcspn(line, "\n"), *end = next;
        line += strspn(line, " \t");
        const char *from = line < end ? options_of(line, &end) : NULL;
        while (from && from < end && strchr(" \t\r", *from))
            from++;
        if (from && from < end)
            add(options, file, number, from, (size_t)(end - from));
        line = next + (*next == '\n');
    }
    free(text);
}

/* Returns the name of FOLDER/.divm, malloc'ed. */
static char *beside(const char *file)
{
    const char *base = check_basename(file);
    return check_format("%.*s.divm", (int)(base - file), file);
}

static bool was_read(const struct strings *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (!strcmp(names->at[i], name))
            return true;
    return false;
}

void file_options_read(struct file_options *options, const struct strings *files)
{
    struct strings folders = {0};
    for (size_t i = 0; i < files->n; i++) {
        char *name = beside(files->at[i]);
        if (!was_read(&folders, name))
            read_lines(options, name, of_folder);
        strings_add(&folders, name);
        free(name);
    }
    strings_fini(&folders);
    for (size_t i = 0; i < files->n; i++)
        read_lines(options, files->at[i], of_source);
}

void file_options_print(const struct file_options *options)
{
    for (size_t i = 0; i < options->places.n; i++)
        fprintf(stderr, "divm: options of %s: %s\n", options->places.at[i],
                options->texts.at[i]);
}

json_t *file_options_json(const struct file_options *options)
{
    json_t *list = json_array();
    for (size_t i = 0; i < options->places.n; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "place", options->places.at[i],
                                              "options", options->texts.at[i]));
    return list;
}

void file_options_fini(struct file_options *options)
{
    strings_fini(&options->places);
    strings_fini(&options->texts);
}
