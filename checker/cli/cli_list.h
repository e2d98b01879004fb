/* cli_list.h - the test cases of a program, and how it is started for one of them.
 *
 * A struct framework_cases is the caller's, to be freed by framework_fini.  Single-threaded. */
#ifndef CHECKER_CLI_LIST_H
#define CHECKER_CLI_LIST_H

#include <stdbool.h>
#include <stddef.h>

#include "checker/build/framework.h"
#include "checker/cli/cli.h"

struct framework_case {
    char *name;
    bool skipped;
    struct strings arguments, environment; /* that pick it */
};
struct framework_cases {
    struct framework_case *at;
    size_t n, max;
};
/* Lists the cases; false after a message on standard error. */
bool framework_list(const struct cli *cli, struct vm_program *program, enum framework framework,
                    struct framework_cases *cases);
void framework_fini(struct framework_cases *cases);
/* framework_start: starts the program so that it has one case only.  framework_forget: forgets
 * the case's arguments. */
void framework_start(struct vm_program *loaded, struct cli_program *program,
                     const struct framework_case *one);
void framework_forget(struct cli_program *program, const struct framework_case *one);

#endif
