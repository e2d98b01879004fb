/* bounded_runs.h - all runs with a few preemptions at most, one after the other: depth first,
 * without states ("iterative context bounding": Musuvathi and Qadeer, PLDI 2007). */
#ifndef CHECKER_BOUNDED_RUNS_H
#define CHECKER_BOUNDED_RUNS_H

#include "run.h"

struct bounded_runs;

/* Begins with runs that have no preemption.  Uses the runner's plan and values until
 * bounded_runs_free. */
struct bounded_runs *bounded_runs_new(struct runner *runner);
void bounded_runs_free(struct bounded_runs *runs);
/* Begins with all runs of so many preemptions at most. */
void bounded_runs_begin(struct bounded_runs *runs, size_t preemptions);
/* Makes the next run; false if there is none. */
bool bounded_runs_next(struct bounded_runs *runs, enum run_end *end);

#endif
