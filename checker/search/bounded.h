/* bounded.h - the executions with few preemptions: iterative context bounding (Musuvathi and
 * Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI
 * 2007). */
#ifndef CHECKER_BOUNDED_H
#define CHECKER_BOUNDED_H

#include "check.h"

/* Explores all executions without a preemption, then those with one, up to
 * options->max_preemptions.  The machine is result's.  Returns what search_once does: the
 * assumptions of which some must be dropped, or 0. */
unsigned bounded_run(const struct vm_program *program, const struct check_options *options,
                     double start, struct check_result *result);

#endif
