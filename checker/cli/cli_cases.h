/* cli_cases.h - the test cases of a program, one by one. */
#ifndef CHECKER_CLI_CASES_H
#define CHECKER_CLI_CASES_H

#include "checker/build/framework.h"
#include "checker/cli/cli.h"
#include "vm/vm.h"

/* Verifies the cases; returns the exit status. */
int verify_cases(struct cli *cli, struct vm_program *program, enum framework framework);

#endif
