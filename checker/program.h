/* program.h - a program as the command line gives it: files, options, arguments, and what a
 * trace must repeat.
 *
 * A struct cli_program owns its texts.  Single-threaded. */
#ifndef CHECKER_PROGRAM_H
#define CHECKER_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/memory.h"

struct vm_watch;

/* A program to be loaded: what a trace must repeat. */
struct cli_program {
    struct strings files, compiler, libraries, arguments, environment;
    struct strings inputs;        /* --stdin=FILE, --capture=DIR[:MOUNT] */
    struct strings queries;       /* --never=EXPR, --reach=EXPR */
    const struct vm_watch *watch; /* what these need of the loader, or NULL; not owned */
    char *language;               /* or NULL */
    char *database;               /* the folder of compile_commands.json, or NULL */
    char *entry;                  /* or NULL for main */
    uint32_t boot_options;
    bool check_overflow, check_alignment, profile, coverage;
    bool notes; /* local variables in registers will be asked for (vm_load.notes) */
    bool ahead; /* it is only to be kept for those who will load it, if it has test cases */
};

/* Do both consist of the same files, compiled and started in the same way? */
bool cli_program_is_same(const struct cli_program *a, const struct cli_program *b);
void cli_program_fini(struct cli_program *program);

#endif
