/* sarif.h - a report for code reviews: errors as results of SARIF 2.1.0, one run of divm.
 *
 * A struct sarif is the caller's, from its open to its close.  Single-threaded. */
#ifndef CHECKER_SARIF_H
#define CHECKER_SARIF_H

#include <jansson.h>

#include "cex.h"
#include "checker/search/check.h"

struct sarif {
    json_t *results, *rules, *notifications;
};

/* Opens a report in the present folder, below which places are named relative to it. */
void sarif_open(struct sarif *sarif);
/* Adds an error; name: of the test case, or NULL. */
void sarif_add(struct sarif *sarif, const char *name, const struct cex *cex);
/* Adds a message that is not about the program; level is "note", "warning" or "error". */
void sarif_notify(struct sarif *sarif, const char *level, const char *name, const char *text);
/* Returns the whole document, malloc'ed; status: of the exit. */
char *sarif_close(struct sarif *sarif, int status);

#endif
