/* cli.h - the command: its options, and what several commands make of them.
 *
 * A struct cli owns its texts.  Single-threaded. */
#ifndef CHECKER_CLI_H
#define CHECKER_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/program.h"
#include "checker/report/report.h"
#include "vm/vm.h"

enum cli_option {
#define OPTION(id, short, name, kind, argument, start, commands, help) OPT_##id,
#include "options.def"
    OPT_COUNT
};

enum cli_reduction {
#define REDUCTION(id, name, help) RED_##id,
#include "reductions.def"
    RED_COUNT
};

enum cli_cache {
#define CACHE(id, name, help) CACHE_##id,
#include "caches.def"
    CACHE_COUNT
};

struct cli_value {
    double number;    /* flags: 0 or 1; choices: the index */
    const char *text; /* of TEXT; owned by struct cli's texts */
    bool given;
};

/* Options that stand in files, and where: "test.c:3". */
struct file_options {
    struct strings places, texts;
};

struct cli {
    const struct cli_command *command;
    struct cli_value value[OPT_COUNT];
    bool reduction[RED_COUNT], cache[CACHE_COUNT];
    struct cli_program program;    /* files are the operands of any command */
    struct strings texts, weights; /* weights: of --weight, "FUNCTION:W" */
    char *again; /* the words of the command line that any search of the program takes, each
                    behind a blank, quoted for a shell */
    struct file_options file_options;
    struct spill *spill;            /* --spill, or NULL */
    struct query_set *queries;      /* --never and --reach, or NULL */
    struct check_saving *saving;    /* --checkpoint and --resume, or NULL */
    _Atomic unsigned char *covered; /* what machines mark: coverage.c; or NULL */
    struct encounters *encounters;  /* likewise */
};

struct cli_command {
    const char *name, *operands, *summary;
    unsigned bit;
    int (*run)(struct cli *cli); /* returns the exit status */
};

enum cli_command_index {
#define COMMAND(id, name, operands, summary, function) COMMAND_##id,
#include "commands.def"
};

enum {
#define COMMAND(id, name, operands, summary, function) id = 1 << COMMAND_##id,
#include "commands.def"
};

extern const struct cli_command cli_commands[]; /* ends with a NULL name */
const struct cli_command *cli_command(unsigned bit);

/* cli.c: --ltl or the like is given. */
bool cli_asks_infinite_runs(const struct cli *cli);
/* False after a message on standard error. */
bool cli_parse(struct cli *cli, int argc, char **argv);
void cli_fini(struct cli *cli);

/* file_options.c: reads the options in the files and .divm beside them; and tells that they
 * were taken, on standard error and in reports. */
void file_options_read(struct file_options *options, const struct strings *files);
void file_options_print(const struct file_options *options);
json_t *file_options_json(const struct file_options *options);
void file_options_fini(struct file_options *options);

/* saving.c: --checkpoint and --resume.  Do they go with the other options, and can their files
 * be used; do they go with the cases of a framework; and with this program?  False after a
 * message. */
bool saving_check(const struct cli *cli);
bool saving_check_cases(const struct cli *cli);
bool saving_begin(const struct cli *cli, const struct vm_program *program,
                  struct check_saving *saving);
void saving_end(struct check_saving *saving);

/* unknown.c: says that a command has no such option, and which one may be meant; names: of its
 * own options, as options.def has them. */
void cli_unknown_option(const struct cli_command *command, const char *arg,
                        const char *const *names, size_t n);
/* Is "-pednatic" a misspelt option of compilers, and no folder behind -p? */
bool cli_is_misspelt(const char *arg);

/* again.c: adds a word to such words, quoted for a shell; prints one so. */
void again_add(char **words, const char *word);
void again_print(FILE *out, const char *word);

/* hints.c: returns what is often the cause of such an error, and what to do then, malloc'ed; or
 * NULL. */
char *hint_of(const struct cli *cli, const struct cex *cex);

/* help.c: prints `divm help`: of all, of one command, and of a topic (false: there is no such
 * topic). */
void help_all(FILE *out);
void help_command(const struct cli_command *command);
bool help_topic(const char *name);
extern const char *const help_topics[]; /* ends with NULL */

/* coverage.c: --coverage and --output-lcov.  begin and end: before the first search of a
 * program and after the last one; end is false, after a message, if the file cannot be
 * written. */
void cli_coverage_begin(struct cli *cli, const struct vm_program *program);
void cli_coverage_print(const struct cli *cli, const struct vm_program *program);
void cli_coverage_json(const struct cli *cli, const struct vm_program *program, json_t *root);
bool cli_coverage_end(struct cli *cli, const struct vm_program *program);

/* cli_*.c */
int cli_verify(struct cli *cli);
int cli_probability(struct cli *cli);
/* Loads the program of the command line, or returns NULL with an exit status; answers about it,
 * which may be asked again, as for another seed. */
struct vm_program *cli_probability_load(struct cli *cli, int *status);
int cli_probability_of(struct cli *cli, const struct vm_program *program);
int cli_replay(struct cli *cli);
int cli_run(struct cli *cli);
int cli_info(struct cli *cli);
int cli_cc(struct cli *cli); /* the words of its command line are files */

/* cli_queries.c: the queries of a program's options, before and after it is loaded; with the
 * watch of the first.  False after a message. */
bool queries_begin(struct cli_program *program, struct query_set **queries);
bool queries_resolve(struct query_set *queries, const struct vm_program *program);
void queries_print(const struct query_set *queries);
json_t *queries_json(const struct query_set *queries, const struct check_result *result,
                     const struct cex *cex);

/* cli_common.c */
struct vm_options cli_machine(const struct cli *cli);
/* Sets fields of the program that come from options. */
void cli_program_options(struct cli *cli);
/* Is it --trace=accesses? */
bool cli_wants_accesses(const struct cli *cli);
struct report cli_report(const struct cli *cli, FILE *out);
/* Returns the exit status in the style asked for. */
int cli_exit(const struct cli *cli, int status);
void cli_catch_signals(void);
/* Leaves at once: what was left as it was (build_limits.end) must not be touched. */
_Noreturn void cli_leave(int status);
/* Returns the exit status if a program could not be loaded. */
int cli_unloaded(void);

#endif
