/* minimise.h - a failing run with fewer preemptions. */
#ifndef CHECKER_MINIMISE_H
#define CHECKER_MINIMISE_H

#include "run.h"

/* Tries other runs that end with an error of the same kind; the record becomes the best of
 * them.  The runner has just made the recorded run, which ended with an error.  Returns whether
 * it is known that no such run has fewer preemptions. */
bool minimise(struct runner *runner, struct record *record, uint64_t seed);

#endif
