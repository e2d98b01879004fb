/* page.h - the report as one HTML file: the steps of an error in a lane for each thread, with
 * the source, the variables and the heap at each.  It needs no network.
 *
 * All that a struct page points to is the caller's. */
#ifndef CHECKER_PAGE_H
#define CHECKER_PAGE_H

#include "moments.h"

struct page {
    const char *title; /* the program's first file, or a test case */
    const struct check_result *result;
    const struct check_options *search;
    const struct cex *cex;     /* of an error, or NULL */
    bool all;                  /* its steps are all that happened, and not only what matters */
    json_t *moments;           /* of moments_record, or NULL */
    json_t *notes;             /* texts */
    const char *hint, *replay; /* or NULL */
    const char *orders;        /* what other memory orders would do, in lines, or NULL */
};

/* Writes the page; false, after a message, if that fails. */
bool page_write(const struct page *page, const char *file);

/* page_arrows.c: returns which steps each step goes back to: for each an array of [step, kind],
 * where a kind is "lock", "wake", "create", "join", "value" or "semaphore". */
json_t *page_arrows(const struct steps *steps, const struct cex *cex);

#endif
