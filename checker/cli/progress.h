/* progress.h - a line that tells how far a search is.
 *
 * A struct progress belongs to the thread that watches the search; all threads may read its
 * counts. */
#ifndef CHECKER_PROGRESS_H
#define CHECKER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/search/check.h"

/* The line; to be given to check_run as watch. */
struct progress {
    enum { PROGRESS_NEVER, PROGRESS_REDRAW, PROGRESS_LINES } mode;
    double last;
    bool drawn;
    struct progress_counts { /* as of the last call: the fields of struct check_progress */
        _Atomic uint64_t runs, states, transitions, open, level, executions, bytes;
        _Atomic unsigned depth;
    } counts;
};
void progress_init(struct progress *progress, int choice);
void progress_watch(void *progress, const struct check_progress *now);
/* Removes the line. */
void progress_end(struct progress *progress);
/* Writes the counts into the result of a search that did not come to its end. */
void progress_result(const struct progress *progress, struct check_result *result);

#endif
