/* progress.h - the line that says how far a search is.
 *
 * A struct progress belongs to the thread that watches the search; states may be read by all.
 */
#ifndef CHECKER_PROGRESS_H
#define CHECKER_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/search/check.h"

/* To be given to check_run as watch. */
struct progress {
    enum { PROGRESS_NEVER, PROGRESS_REDRAW, PROGRESS_LINES } mode;
    double last;
    bool drawn;
    _Atomic uint64_t runs;
    _Atomic uint64_t states, level; /* when it was called last */
};
void progress_init(struct progress *progress, int choice);
void progress_watch(void *progress, const struct check_progress *now);
/* Remove the line. */
void progress_end(struct progress *progress);

#endif
