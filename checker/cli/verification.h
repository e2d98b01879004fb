/* verification.h - one search of a program or of one of its cases, with its result.
 *
 * A struct verification is the caller's, to be freed by verify_fini.  Single-threaded. */
#ifndef CHECKER_VERIFICATION_H
#define CHECKER_VERIFICATION_H

#include <jansson.h>

#include "checker/cli/cli.h"
#include "checker/cli/orders.h"
#include "checker/report/cex.h"
#include "checker/search/check.h"
#include "vm/vm.h"

/* One of several errors. */
struct verified {
    struct cex cex;
    char *trace; /* file, or NULL */
};

struct verification {
    struct check_options options;
    struct check_result result;
    struct cex cex;        /* of an error, the first one */
    char *unreached;       /* see struct check_result */
    char *again;           /* of a test case: see struct check_options */
    json_t *moments;       /* of its steps, if a page is wanted (moments.h); or NULL */
    char *trace;           /* file, or NULL */
    struct verified *more; /* other errors (--continue): as many as result.more */
    char *limit;           /* of the machine, or NULL: the counterexample is of what met it */
    int status;            /* for the exit */
    struct orders orders;
};

/* Return how many errors there are, and the counterexample of each, from 0. */
size_t verify_errors(const struct verification *verification);
const struct cex *verify_cex(const struct verification *verification, size_t i);
/* Searches.  name: of the test case, or NULL. */
void verify_search(struct cli *cli, struct vm_program *program, const char *name,
                   struct verification *verification);
/* Searches again with verification's options: result, counterexample, and limit. */
void verify_again(struct cli *cli, const struct vm_program *program,
                  struct verification *verification);
/* Writes the page that --output-html asks for, if it asks; program: NULL if it was not loaded,
 * test: the case, or NULL.  False, after a message, if it cannot be written. */
bool verify_page(const struct cli *cli, const struct vm_program *program, const char *test,
                 const struct verification *verification);
/* Prints all but the verdict line. */
void verify_print(const struct cli *cli, const struct verification *verification);
json_t *verify_json(const struct cli *cli, const struct vm_program *program,
                    const struct verification *verification);
void verify_fini(struct verification *verification);
/* Tells that compiling, loading or listing the cases was cut short, as if a search had been;
 * returns the exit status. */
int verify_unloaded(struct cli *cli);
/* Returns why compiling or loading was cut short; the caller frees it. */
char *verify_why_unloaded(const struct cli *cli);

/* Makes the only search of a command and tells it in all forms that were asked for; returns the
 * exit status. */
int verify_whole(struct cli *cli, struct vm_program *program);

#endif
