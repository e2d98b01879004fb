/* cli_page.h - the page that --output-html asks for (checker/report/page.h).
 *
 * What a struct cli_page points to is the caller's. */
#ifndef CHECKER_CLI_PAGE_H
#define CHECKER_CLI_PAGE_H

#include <jansson.h>

#include "checker/cli/cli.h"
#include "checker/report/cex.h"
#include "checker/search/check.h"

struct cli_page {
    const char *test;                  /* case, or NULL */
    const struct cli_program *options; /* of the program */
    const struct vm_program *program;  /* NULL: it was not loaded */
    const struct check_result *result;
    const struct check_options *search;
    const struct cex *cex; /* of an error, or NULL */
    json_t *moments;       /* or NULL */
    const char *trace;     /* file, or NULL */
    const char *orders;    /* what other memory orders would do, in lines; or NULL */
};
/* Writes the page.  True if there is none to write; false, after a message, if it cannot be
 * written. */
bool cli_page(const struct cli *cli, const struct cli_page *what);
/* Returns the name of its file, malloc'ed, or NULL if none is wanted. */
char *cli_page_name(const struct cli *cli, const char *test);
/* Do reports show whatever happened? */
bool cli_shows_all(const struct cli *cli);

#endif
