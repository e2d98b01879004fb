/* database.c - reads compile_commands.json: how a build system compiles a file. */
#include <err.h>
#include <errno.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/build/cc.h"
#include "checker/build/database.h"
#include "checker/memory.h"

/* Is an entry about the file, whose full name is given? */
static bool is_about(const json_t *entry, const char *file)
{
    const char *name = json_string_value(json_object_get(entry, "file"));
    const char *folder = json_string_value(json_object_get(entry, "directory"));
    char joined[PATH_MAX], full[PATH_MAX];
    if (!name || !folder)
        return false;
    if (*name == '/')
        snprintf(joined, sizeof joined, "%s", name);
    else
        snprintf(joined, sizeof joined, "%s/%s", folder, name);
    return realpath(joined, full) && !strcmp(full, file);
}

static void entry_words(const json_t *entry, struct strings *words)
{
    const json_t *list = json_object_get(entry, "arguments"), *item;
    const char *command = json_string_value(json_object_get(entry, "command"));
    size_t i;
    json_array_foreach(list, i, item)
    {
        strings_add(words, json_string_value(item) ? json_string_value(item) : "");
    }
    if (!words->n && command)
        cc_split(command, words);
}

/* Is the option taken?  Optimisation and warnings are for others: the program is taken as it is
 * written. */
static bool is_wanted(const char *option)
{
    return strncmp(option, "-O", 2) != 0 && strncmp(option, "-W", 2) != 0 &&
           strcmp(option, "-g") != 0;
}

static bool add_options(const json_t *entry, struct strings *options)
{
    struct strings words = {0};
    struct cc_line line = {0};
    entry_words(entry, &words);
    /* the first word, or the first two, name the compiler */
    bool two = words.n > 1 && *words.at[1] != '-' && words.n > 2 &&
               (!strcmp(words.at[1], "cc") || !strcmp(words.at[1], "c++"));
    size_t skip = two ? 2 : 1;
    bool good =
        words.n > skip && cc_parse(&line, (const char *const *)words.at + skip, words.n - skip);
    const char *folder = json_string_value(json_object_get(entry, "directory"));
    if (good) {
        strings_add(options, "-working-directory");
        strings_add(options, folder);
    }
    for (size_t i = 0; good && i < line.compile.n; i++)
        if (is_wanted(line.compile.at[i]))
            strings_add(options, line.compile.at[i]);
    cc_fini(&line);
    strings_fini(&words);
    return good;
}

bool database_options(const char *folder, const char *file, struct strings *options)
{
    char path[PATH_MAX], full[PATH_MAX];
    json_error_t error;
    const json_t *entry;
    size_t i;
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    json_t *root = json_load_file(path, 0, &error);
    if (!json_is_array(root)) {
        fprintf(stderr, "divm: %s: %s\n", path, root ? "not a list of commands" : error.text);
        json_decref(root);
        return false;
    }
    bool found = false, good = realpath(file, full) != NULL;
    json_array_foreach(root, i, entry)
    {
        if (good && !found && is_about(entry, full)) {
            found = true;
            good = add_options(entry, options);
        }
    }
    json_decref(root);
    if (!found || !good)
        fprintf(stderr, "divm: %s: %s %s\n", path,
                found ? "cannot be parsed for" : "has no entry for", file);
    return found && good;
}

static bool is_about_one_of(const json_t *entry, const struct strings *files)
{
    char full[PATH_MAX];
    for (size_t i = 0; i < files->n; i++)
        if (realpath(files->at[i], full) && is_about(entry, full))
            return true;
    return false;
}

char *database_others(const char *folder, const struct strings *files)
{
    enum { MOST = 4 };
    char path[PATH_MAX], *list = NULL;
    size_t i, size, n = 0;
    snprintf(path, sizeof path, "%s/compile_commands.json", folder);
    json_t *root = json_load_file(path, 0, NULL);
    const json_t *entry;
    FILE *out = check_text_stream(&list, &size);
    json_array_foreach(root, i, entry)
    {
        const char *name = json_string_value(json_object_get(entry, "file"));
        if (name && !is_about_one_of(entry, files) && n++ < MOST)
            fprintf(out, "%s%s", n > 1 ? ", " : "", check_basename(name));
    }
    if (n > MOST)
        fprintf(out, " and %zu more", n - MOST);
    fclose(out);
    json_decref(root);
    if (n)
        return list;
    free(list);
    return NULL;
}
