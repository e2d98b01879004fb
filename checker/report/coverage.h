/* coverage.h - lines, functions and branches of the program's own code that the explored
 * executions have covered, and those that they never reached.
 *
 * A struct coverage is made of the marks of a program (vm_cover_mark), and belongs to its
 * caller; its texts are the program's. */
#ifndef CHECKER_COVERAGE_H
#define CHECKER_COVERAGE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "checker/search/encounters.h"
#include "vm/vm.h"

/* A line, a function, or a branch: all marks that have the same place. */
struct coverage_item {
    const char *file, *function;
    unsigned line, column; /* column: of branches, else 0 */
    unsigned ways;         /* of branches: at least 2; else 1 */
    bool *taken;           /* so many */
};
struct coverage_list {
    struct coverage_item *at; /* by file, line and column */
    size_t n, max;
};
struct coverage {
    struct coverage_list lines, functions, branches;
    bool knows_encounters; /* else there are none */
    struct encounter *encounters;
    size_t nencounters;
    struct coverage_list points; /* lines at which a thread has met another one: always taken */
};

/* Makes coverage from marks.  covered: as options.covered of the machines; encounters: of the
 * searches, or NULL. */
void coverage_make(struct coverage *coverage, const struct vm_program *program,
                   const _Atomic unsigned char *covered, struct encounters *encounters);
void coverage_fini(struct coverage *coverage);
/* Was every branch of the item taken? */
bool coverage_is_whole(const struct coverage_item *item);
size_t coverage_whole(const struct coverage_list *list);
bool coverage_reached(const struct coverage_item *item);

/* coverage_report.c: prints a few lines of text, the worst first; returns fields of JSON; and a
 * tracefile of lcov, malloc'ed. */
void coverage_print(FILE *out, const struct coverage *coverage);
json_t *coverage_json(const struct coverage *coverage);
char *coverage_lcov(const struct coverage *coverage);

#endif
