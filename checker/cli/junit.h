/* junit.h - a report for build servers, one case after the other.
 *
 * A struct junit is the caller's, from its open to its close.  Single-threaded. */
#ifndef CHECKER_JUNIT_H
#define CHECKER_JUNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "checker/report/cex.h"
#include "checker/search/check.h"

struct junit {
    FILE *cases; /* what was written so far */
    char *text;
    size_t size;
    unsigned tests, failures, skipped, errors;
    double seconds;
};
void junit_open(struct junit *junit);
/* Adds a case.  file: that of the test, if no error is in another one.  result and
 * counterexample are NULL if the case was skipped. */
void junit_add(struct junit *junit, const char *suite, const char *name, const char *file,
               const struct check_result *result, const struct check_options *options,
               const struct cex *cex);
/* Returns the whole document, malloc'ed. */
char *junit_close(struct junit *junit, const char *suite);

#endif
