/* cli.h - the command: options, programs, what its parts share.  Internal to cli*.c,
 * compile.c, trace.c, progress.c and main.c; single-threaded. */
#ifndef CHECKER_CLI_H
#define CHECKER_CLI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "checker/report/report.h"
#include "checker/search/apart.h"
#include "checker/search/check.h"

/* A list of strings that it owns. */
struct strings {
    char **at;
    size_t n, max;
};

void strings_add(struct strings *list, const char *text);
void strings_fini(struct strings *list);

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

enum framework {
    FRAMEWORK_NONE,
#define FRAMEWORK(id, name, marker) FRAMEWORK_##id,
#include "checker/build/frameworks.def"
};

/* A program to be loaded: what a trace must repeat. */
struct cli_program {
    struct strings files, compiler, libraries, arguments, environment;
    struct strings inputs; /* --stdin=FILE, --capture=DIR[:MOUNT] */
    char *language;        /* or NULL */
    char *database;        /* the folder of compile_commands.json, or NULL */
    char *entry;           /* or NULL for main */
    uint32_t boot_options;
    bool check_overflow, check_alignment, profile;
    bool ahead; /* it is only to be kept for those who will load it, if it has test cases */
};

/* Options that stand in files, and where: "test.c:3". */
struct file_options {
    struct strings places, texts;
};

struct cli {
    const struct cli_command *command;
    struct cli_value value[OPT_COUNT];
    bool reduction[RED_COUNT], cache[CACHE_COUNT];
    struct cli_program program; /* files are the operands of any command */
    struct strings texts;
    struct file_options file_options;
    struct spill *spill; /* --spill, or NULL */
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

/* cli.c: false after a message on standard error. */
bool cli_parse(struct cli *cli, int argc, char **argv);
void cli_fini(struct cli *cli);
void cli_program_fini(struct cli_program *program);
/* The nearest of the names, or NULL if none is near. */
const char *cli_nearest(const char *word, const char *const *names, size_t n);

/* file_options.c: what the files and .divm beside them say; that it was taken, on standard
 * error and for reports. */
void file_options_read(struct file_options *options, const struct strings *files);
void file_options_print(const struct file_options *options);
json_t *file_options_json(const struct file_options *options);
void file_options_fini(struct file_options *options);

/* hints.c: what is often the cause of such an error, and what to do then, malloc'ed; or NULL.
 */
char *hint_of(const struct cli *cli, const struct cex *cex);

/* help.c: what `divm help` prints, of all, of one command, and of a topic (false: there is no
 * such topic). */
void help_all(FILE *out);
void help_command(const struct cli_command *command);
bool help_topic(const char *name);
extern const char *const help_topics[]; /* ends with NULL */

/* cli_*.c */
int cli_verify(struct cli *cli);
int cli_replay(struct cli *cli);
int cli_run(struct cli *cli);
int cli_info(struct cli *cli);
int cli_cc(struct cli *cli); /* the words of its command line are files */

/* cli_verify.c: one search, and what came out. */
struct verification {
    struct check_options options;
    struct check_result result;
    struct cex cex; /* of an error */
    char *trace;    /* file, or NULL */
    char *limit;    /* of the machine, or NULL: the counterexample is of what met it */
    int status;     /* for the exit */
};
/* name: of the test case, or NULL. */
void verify_search(struct cli *cli, const struct vm_program *program, const char *name,
                   struct verification *verification);
/* All but the verdict line. */
void verify_print(const struct cli *cli, const struct verification *verification);
json_t *verify_json(const struct cli *cli, const struct vm_program *program,
                    const struct verification *verification);
void verify_fini(struct verification *verification);
/* The exit status where there is no program: if compiling, loading or listing its cases was cut
 * short, that is told as if a search had been. */
int verify_unloaded(struct cli *cli);

/* notes.c: what the result rests on, as JSON and on standard error; program: NULL if it was not
 * loaded. */
json_t *notes_json(const struct cli_program *options, const struct vm_program *program,
                   const struct check_result *result);
void notes_print(const struct cli_program *options, const struct vm_program *program,
                 const struct check_result *result);
/* "queue.c:14: an atomic weaker than seq_cst (and 3 more): checked under ...", malloc'ed, or
 * NULL; what: "checked". */
char *notes_weak(const struct vm_weak *weak, const char *what);

/* cli_cases.c: the test cases one by one; the exit status. */
int verify_cases(struct cli *cli, struct vm_program *program, enum framework framework);

/* cli_common.c */
struct vm_options cli_machine(const struct cli *cli);
/* Program fields that come from options. */
void cli_program_options(struct cli *cli);
struct report cli_report(const struct cli *cli, FILE *out);
/* Exit status in the style asked for. */
int cli_exit(const struct cli *cli, int status);
/* Set by SIGINT, SIGTERM or SIGHUP, and SIGUSR1 (which the reader clears). */
extern _Atomic int cli_interrupted, cli_asked;
bool cli_is_interrupted(void);
void cli_catch_signals(void);
/* What compiling and loading must keep of the command's limits, and how they ended: other than
 * by APART_DONE, something was left as it was, and the process must end by cli_leave. */
struct cli_limits {
    struct check_options options; /* max_seconds, deadline, max_bytes and interrupted */
    enum apart_end end;
};
extern struct cli_limits cli_limits;
_Noreturn void cli_leave(int status);
/* Of a program that was not loaded. */
int cli_unloaded(void);

/* compile.c: the loaded program, or NULL after a message on standard error; and what
 * framework its tests are written for. */
struct vm_program *compile_and_load(const struct cli_program *program, bool verbose,
                                    enum framework *framework);
/* Start a loaded program with the arguments, environment and options of now. */
void compile_start(struct vm_program *loaded, const struct cli_program *program);
/* The folder of the guest's headers and archives, malloc'ed; NULL after a message. */
char *compile_runtime(void);
const char *compile_clang(void);
/* A new temporary folder, malloc'ed, or NULL after a message; removed with its files. */
char *compile_folder(void);
void compile_remove(const char *folder);

/* child.c: waits for a child within limits, else ends it. */
enum apart_end child_wait(pid_t child, const struct check_options *limits, int *status);
/* Runs a command: its exit status, or -1 after a message, or since cli_limits.end says so. */
int compile_run(struct strings *args, bool verbose);
/* For what can be done without: it may fail, and nobody wants to know. */
int compile_run_silently(struct strings *args);

/* trial.c: can it be loaded without a crash?  False with *error, or by cli_limits.end. */
bool trial_survives(const struct vm_load *load, char **error);

/* cache.c: a folder for what is made once, made if need be, malloc'ed, NULL if there is
 * none; inside: "/NAME". */
char *cache_folder(const char *inside);
/* Of the files with the suffix in their names the last used are kept, up to so many bytes. */
void cache_trim(const char *folder, const char *suffix, size_t bytes);
/* The file was used now. */
void cache_use(const char *file);
/* All of a file, malloc'ed; NULL if it is none or cannot be read. */
char *cache_read(const char *file, size_t *size);
/* Made of two parts, beside its place, and moved there when it is whole. */
bool cache_write(const char *file, const void *head, size_t nhead, const void *data, size_t n);
extern const struct vm_kept cache_linked;
extern const struct vm_kept cache_programs; /* and what was loaded, all of it */

/* framework.c: what the bitcode's symbols tell; the cases that a program lists. */
enum framework framework_find(const struct strings *bitcode);
struct framework_case {
    char *name;
    bool skipped;
    struct strings arguments, environment; /* that pick it */
};
struct framework_cases {
    struct framework_case *at;
    size_t n, max;
};
/* False after a message on standard error. */
bool framework_list(const struct cli *cli, struct vm_program *program, enum framework framework,
                    struct framework_cases *cases);
void framework_fini(struct framework_cases *cases);
/* Start the program so that it has one case only; then forget the case's arguments. */
void framework_start(struct vm_program *loaded, struct cli_program *program,
                     const struct framework_case *one);
void framework_forget(struct cli_program *program, const struct framework_case *one);

/* cli_run.c: what one execution writes to its standard output, malloc'ed; NULL after a
 * message. */
char *run_output(const struct cli *cli, const struct vm_program *program);

/* junit.c: a report for build servers, one case after the other. */
struct junit {
    FILE *cases; /* what was written so far */
    char *text;
    size_t size;
    unsigned tests, failures, skipped, errors;
    double seconds;
};
void junit_open(struct junit *junit);
/* result and counterexample are NULL if the case was skipped. */
void junit_add(struct junit *junit, const char *suite, const char *name,
               const struct check_result *result, const struct check_options *options,
               const struct cex *cex);
/* Writes the file, if there is one to write; false after a message on standard error. */
bool junit_close(struct junit *junit, const char *suite, const char *file);

/* database.c: the options that FOLDER/compile_commands.json has for a file are added;
 * false after a message. */
bool database_options(const char *folder, const char *file, struct strings *options);
/* The first files that it has but these, as "queue.cpp, list.cpp", malloc'ed; NULL: none. */
char *database_others(const char *folder, const struct strings *files);

/* inputs.c: the files that --stdin and --capture name, to be freed; false after a
 * message. */
struct vm_file;
bool inputs_read(const struct strings *list, struct vm_file **files, size_t *n);
void inputs_free(struct vm_file *files, size_t n);

/* pch.c: a precompiled header for these options, malloc'ed; NULL if there is none. */
char *pch_find(const struct strings *args, const char *runtime, bool verbose);

/* progress.c: to be given to check_run as watch. */
struct progress {
    enum { PROGRESS_NEVER, PROGRESS_REDRAW, PROGRESS_LINES } mode;
    double last;
    bool drawn;
    _Atomic uint64_t states; /* when it was called last */
};
void progress_init(struct progress *progress, int choice);
void progress_watch(void *progress, const struct check_progress *now);
/* Remove the line. */
void progress_end(struct progress *progress);

/* trace.c */
struct trace {
    struct cli_program program;
    struct vm_options machine;
    uint64_t hash; /* vm_program_hash */
    struct check_path path;
    char *verdict; /* report_headline */
    enum vm_fault_kind kind;
    char *location;
};
/* Both return NULL, or what is wrong in one line (malloc'ed). */
char *trace_write(const char *file, const struct trace *trace);
char *trace_read(const char *file, struct trace *trace);
void trace_fini(struct trace *trace);
/* The options of program and machine, for traces and JSON reports. */
json_t *trace_options(const struct cli_program *program, const struct vm_options *machine);

#endif
