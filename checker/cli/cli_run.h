/* cli_run.h - one execution, as if the program were run. */
#ifndef CHECKER_CLI_RUN_H
#define CHECKER_CLI_RUN_H

#include "checker/cli/cli.h"

/* Runs the program once and returns what it writes to its standard output, malloc'ed; NULL
 * after a message. */
char *run_output(const struct cli *cli, const struct vm_program *program);

#endif
