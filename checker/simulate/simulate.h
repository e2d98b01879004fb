/* simulate.h - many random runs of a program, from the point where they begin to differ.  Run i
 * is determined by the seed and i, so the results are the same with any number of workers: the
 * failing run with the smallest number is told.  Threads: the caller waits.
 *
 * Run i is determined by the seed and i, so the results are the same with any number of
 * workers: what is told is the failing run with the smallest number.  Threads: the caller
 * waits. */
#ifndef CHECKER_SIMULATE_H
#define CHECKER_SIMULATE_H

#include "checker/search/check.h"

/* Does what check_run does, with options->sampling.  Without an error the outcome is
 * INCOMPLETE. */
void simulate_run(const struct vm_program *program, const struct check_options *options,
                  struct check_result *result);

#endif
