/* outputs.h - the reports in files that --output-... options name: they are told of each
 * search, and written at the end.
 *
 * A struct outputs is the caller's, from its open to its close.  Single-threaded. */
#ifndef CHECKER_OUTPUTS_H
#define CHECKER_OUTPUTS_H

#include <jansson.h>

#include "checker/cli/cli.h"
#include "checker/cli/junit.h"
#include "checker/cli/verification.h"
#include "checker/report/sarif.h"
#include "checker/report/witness.h"

struct outputs {
    const struct cli *cli; /* outlives it */
    const char *suite;
    struct junit junit;
    struct sarif sarif;
    struct witness witness;
};

/* Checks that the files of the --output options can be written, before anything else is done;
 * false after a message. */
bool outputs_can_write(const struct cli *cli);
/* Writes a text into a file; false after a message. */
bool outputs_write(const char *file, const char *text);
void outputs_open(struct outputs *outputs, const struct cli *cli);
/* Adds a search.  name: of the test case, NULL if there are none; verification: NULL if it was
 * skipped. */
void outputs_add(struct outputs *outputs, const char *name,
                 const struct verification *verification);
/* Writes the files; notes: an array of strings.  Returns the exit status, which is another one
 * if one could not be written. */
int outputs_close(struct outputs *outputs, const json_t *notes, int status);

#endif
