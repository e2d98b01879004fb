/* help.c - help: commands, options, examples and exit statuses, all from tables. */
#include <stdio.h>
#include <string.h>

#include "checker/cli/cli.h"
#include "checker/cli/option_kind.h"

enum { COLUMN = 32 }; /* the column where the text about an option begins */

/* ---- options --------------------------------------------------------------------- */

struct shown {
    const char *name, *argument, *help;
    unsigned commands;
    enum { PLAIN, NEGATABLE, OPTIONAL, REDUCTIONS, CACHES } kind;
    char letter;
};

/* A group's title, or else an option. */
struct row {
    const char *title;
    struct shown option;
};

static const struct row rows[] = {
#define OPTION_GROUP(title) {title, {0}},
#define OPTION(id, short, name, kind, argument, start, commands, help) \
    {NULL,                                                             \
     {name, argument, help, commands,                                  \
      OPT_##id == OPT_REDUCTION              ? REDUCTIONS              \
      : OPT_##id == OPT_CACHE                ? CACHES                  \
      : (kind) == TEXT && (start) + 0.0 != 0 ? NEGATABLE               \
      : (kind) == COUNT || (kind) == PICK    ? OPTIONAL                \
                                             : PLAIN,                     \
      short}},
#include "options.def"
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Prints a text of any width, and behind it, or in the next line, what it means. */
static void print_row(const char *text, const char *help)
{
    if (strlen(text) < COLUMN)
        printf("  %-*s %s\n", COLUMN, text, help);
    else
        printf("  %s\n  %-*s %s\n", text, COLUMN, "", help);
}

/* Writes an option as it stands on a command line. */
static void spell(const struct shown *option, char *text, size_t size)
{
    bool none = !*option->argument;
    if (*option->name == '-')
        snprintf(text, size, "%s%s%s", option->name,
                 !strcmp(option->name, "-std") ? "="
                 : option->letter              ? ""
                                               : " ",
                 option->argument);
    else if (option->letter)
        snprintf(text, size, "-%c%s%s, --%s%s%s", option->letter, none ? "" : " ",
                 option->argument, option->name, none ? "" : "=", option->argument);
    else
        snprintf(text, size, "    --%s%s%s%s%s%s", option->name,
                 none                       ? ""
                 : option->kind == OPTIONAL ? "[="
                                            : "=",
                 option->argument, option->kind == OPTIONAL ? "]" : "",
                 option->kind == NEGATABLE ? ", --no-" : "",
                 option->kind == NEGATABLE ? option->name : "");
}

static void print_name(const char *name, const char *help)
{
    printf("  %-*s   %-15s %s\n", COLUMN, "", name, help);
}

static void print_option(const struct shown *option)
{
    char text[128];
    spell(option, text, sizeof text);
    print_row(text, option->help);
    if (option->kind == REDUCTIONS) {
#define REDUCTION(id, name, help) print_name(name, help);
#include "reductions.def"
    } else if (option->kind == CACHES) {
#define CACHE(id, name, help) print_name(name, help);
#include "caches.def"
    }
}

/* Prints options.  A group's title is printed before the first of its options that the command
 * has. */
static void print_options(unsigned command)
{
    const char *title = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].title)
            title = rows[i].title;
        if (rows[i].title || !(rows[i].option.commands & command))
            continue;
        if (title)
            printf("\n%s:\n", title);
        title = NULL;
        print_option(&rows[i].option);
    }
}

/* ---- examples and exit statuses -------------------------------------------------- */

static const struct {
    unsigned command;
    const char *line, *text;
} examples[] = {
#define EXAMPLE(id, line, text) {id, line, text},
#include "commands.def"
};

static void print_examples(unsigned command)
{
    bool first = true;
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
        if (examples[i].command & command) {
            printf("%s  %s\n      %s\n", first ? "\nExamples:\n" : "", examples[i].line,
                   examples[i].text);
            first = false;
        }
}

static void print_exits(void)
{
    puts("Exit status:");
#define EXIT(id, status, text) printf("  %3d  %s\n", status, text);
#include "checker/search/exits.def"
}

static void print_exit_topic(void)
{
    print_exits();
    puts("\nThese are the statuses of verify and replay; divm run ends with the status of the\n"
         "program where it finds no error, and divm cc as a compiler does.  With\n"
         "--exit-style=simple they are 0 (no error), 1 (error) and 2 (anything else).");
}

static void print_environment(void)
{
    puts("Environment:");
#define ENVIRONMENT(name, text) printf("  %-16s %s\n", name, text);
#include "environment.def"
}

/* ---- topics ---------------------------------------------------------------------- */

const char *const help_topics[] = {"exit", "environment", NULL};

bool help_topic(const char *name)
{
    static void (*const print[])(void) = {print_exit_topic, print_environment};
    for (size_t i = 0; help_topics[i]; i++)
        if (!strcmp(name, help_topics[i])) {
            print[i]();
            return true;
        }
    return false;
}

void help_command(const struct cli_command *command)
{
    bool searches = command->bit & (VERIFY | SIMULATE | PROBABILITY | REPLAY | RUN);
    printf("usage: divm %s%s%s%s\n\n%s.\n", command->name, searches ? " [options]" : "",
           *command->operands ? " " : "", command->operands, command->summary);
    print_options(command->bit);
    print_examples(command->bit);
    if (searches)
        putchar('\n');
    if (command->bit & (VERIFY | REPLAY))
        print_exits();
    else if (searches)
        puts("divm help exit lists the exit statuses.");
}

/* Returns the length of the operands without the program's arguments. */
static int brief_length(const char *operands)
{
    const char *arguments = strstr(operands, " [--");
    return (int)(arguments ? (size_t)(arguments - operands) : strlen(operands));
}

void help_all(FILE *out)
{
    fputs("usage: divm COMMAND [options] FILE...\n\n"
          "Explores every interleaving of a multithreaded test and shows the shortest one that "
          "fails.\n\n",
          out);
    for (const struct cli_command *command = cli_commands; command->name; command++)
        fprintf(out, "  divm %-11s  %-17.*s  %s\n", command->name,
                brief_length(command->operands), command->operands, command->summary);
    fputs("\ndivm help COMMAND lists the options of a command, with examples;\n"
          "divm help exit the exit statuses, divm help environment the variables.\n",
          out);
}
