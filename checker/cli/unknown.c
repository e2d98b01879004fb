/* unknown.c - an option that there is not: which one may be meant.  It may be one of the
 * command's own or one of a compiler's (cc_options.def), misspelt or with another number of
 * dashes, or one of another command. */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "checker/array.h"
#include "checker/build/cc.h"
#include "checker/cli/cli.h"
#include "checker/memory.h"
#include "checker/nearest.h"

enum { SHORTEST = 3 }; /* letters of a name that a misspelt one is compared with */

struct names {
    struct strings bare;   /* without dashes, and without the '=' that some end with */
    struct strings dashed; /* as it is to be written */
};

static void names_fini(struct names *names)
{
    strings_fini(&names->bare);
    strings_fini(&names->dashed);
}

/* Adds a name; rest: what is to be written behind it. */
static void add_name(struct names *names, const char *name, const char *rest)
{
    const char *dashes = *name == '-' ? "" : "--";
    size_t leading = strspn(name, "-"), n = strcspn(name, "=");
    if (n < leading + SHORTEST)
        return;
    char *bare = check_strndup(name + leading, n - leading);
    char *dashed = check_format("%s%.*s%s", dashes, (int)n, name, rest);
    strings_add(&names->bare, bare);
    strings_add(&names->dashed, dashed);
    free(bare);
    free(dashed);
}

/* Adds the names of compilers' options.  The value is repeated where it stands in the same
 * word. */
static void add_compilers(struct names *names, const char *arg)
{
    const char *name;
    bool joined;
    for (size_t i = 0; (name = cc_name(i, &joined)); i++)
        add_name(names, name, joined ? arg + strcspn(arg, "=") : "");
}

/* Returns how a name is to be written: of the option that has just this one, or else of the
 * nearest; NULL: none is near. */
static const char *find(const struct names *names, const char *bare)
{
    for (size_t i = 0; i < names->bare.n; i++)
        if (!strcmp(names->bare.at[i], bare))
            return names->dashed.at[i];
    const char *nearest =
        strlen(bare) > 1
            ? check_nearest(bare, (const char *const *)names->bare.at, names->bare.n)
            : NULL;
    for (size_t i = 0; nearest && i < names->bare.n; i++)
        if (names->bare.at[i] == nearest)
            return names->dashed.at[i];
    return NULL;
}

/* Returns a compiler's option for one whose first letter has a dash too much, as in --O2 or
 * --DNDEBUG, or that lacks its '=', as in -stdc++17 or -std:c++17; malloc'ed, or NULL. */
static char *mend_letter(const char *arg)
{
    if (!strncmp(arg, "--", 2) && strchr("DIUW", arg[2]) && arg[3] && arg[3] != '=')
        return check_strdup(arg + 1);
    if (!strncmp(arg, "--O", 3) && strchr("0123sgz", arg[3]) && !(arg[3] && arg[4]))
        return check_strdup(arg + 1);
    if (!strncmp(arg, "-0", 2) && strlen(arg) == 3 && isdigit((unsigned char)arg[2]))
        return check_format("-O%s", arg + 2);
    const char *standard = !strncmp(arg, "-std", 4) ? arg + 4 + (arg[4] == ':') : "";
    bool known = !strncmp(standard, "c", 1) || !strncmp(standard, "gnu", 3);
    return known ? check_format("-std=%s", standard) : NULL;
}

/* Returns what may be meant, malloc'ed, or NULL. */
static char *suggest(const struct cli_command *command, const char *arg, const char *const *own,
                     size_t n)
{
    struct names names = {0};
    const char *word = arg + strspn(arg, "-");
    bool compiles = command->bit & (VERIFY | SIMULATE | PROBABILITY | RUN);
    bool negated = !strncmp(word, "no-", 3);
    char *mended = compiles ? mend_letter(arg) : NULL;
    if (mended)
        return mended;
    word += negated ? 3 : 0;
    /* those of two dashes count most; compilers' names come with their values */
    for (size_t i = 0; i < n; i++)
        if (*own[i] != '-')
            add_name(&names, own[i], "");
    if (compiles && !negated)
        add_compilers(&names, arg);
    for (size_t i = 0; i < n; i++)
        if (*own[i] == '-')
            add_name(&names, own[i], "");
    char *bare = check_strndup(word, strcspn(word, "="));
    const char *found = find(&names, bare);
    if (found)
        mended =
            negated ? check_format("--no-%s", found + strspn(found, "-")) : check_strdup(found);
    free(bare);
    names_fini(&names);
    return mended;
}

bool cli_is_misspelt(const char *arg)
{
    struct names names = {0};
    add_compilers(&names, arg);
    add_name(&names, "-pthread", "");
    bool found = access(arg + 2, F_OK) != 0 && find(&names, arg + 1);
    names_fini(&names);
    return found;
}

/* Returns the bits of the commands that have the option. */
static unsigned commands_of(const char *arg)
{
    static const struct {
        const char *name;
        unsigned commands;
    } options[] = {
#define OPTION(id, letter, name, kind, argument, start, commands, text) {name, commands},
#include "checker/cli/options.def"
    };
    size_t n = strcspn(arg, "=");
    for (size_t i = 0; i < sizeof options / sizeof *options && !strncmp(arg, "--", 2); i++)
        if (strlen(options[i].name) == n - 2 && !strncmp(options[i].name, arg + 2, n - 2))
            return options[i].commands;
    return 0;
}

/* Prints "it is one of divm simulate, probability". */
static void put_commands(unsigned commands)
{
    static const struct {
        const char *name;
        unsigned bit;
    } all[] = {
#define COMMAND(id, name, operands, summary, function) {name, id},
#include "checker/cli/commands.def"
    };
    const char *before = "it is one of divm";
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (commands & all[i].bit) {
            fprintf(stderr, "%s %s", before, all[i].name);
            before = ",";
        }
    fputc('\n', stderr);
}

void cli_unknown_option(const struct cli_command *command, const char *arg,
                        const char *const *names, size_t n)
{
    int length = (int)strcspn(arg, "=");
    char *meant = suggest(command, arg, names, n);
    bool clangs = arg[1] != '-' && command->bit & (VERIFY | RUN);
    bool mode = meant ? cc_is_mode(meant) : cc_is_mode(arg);
    fprintf(stderr, "divm: unknown option %.*s; ", length, arg);
    if (commands_of(arg))
        put_commands(commands_of(arg));
    else if (mode)
        fputs("use divm cc or divm c++ to compile for a build\n", stderr);
    else if (meant)
        fprintf(stderr, "did you mean %s?\n", meant);
    else
        fprintf(stderr, "see divm %s --help%s\n", command->name,
                clangs ? " (-Xclang ARG passes ARG to clang)" : "");
    free(meant);
}
