/* minimise.h - a failing run with fewer preemptions. */
#ifndef CHECKER_MINIMISE_H
#define CHECKER_MINIMISE_H

#include "run.h"

/* The runner has just made the recorded run, which ended with an error: other runs are tried
 * that end with one of the same kind.  The record becomes the best of them. */
void minimise(struct runner *runner, struct record *record, uint64_t seed);

#endif
