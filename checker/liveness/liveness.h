/* liveness.h - infinite runs: those that violate a formula, and fair ones in which a program
 * never ends (docs/QUERIES.md, Infinite runs).
 *
 * All states and transitions are explored, without reductions that could hide such a run, and
 * kept in memory (graph.h); then each formula's negation, as an automaton (automaton.h), runs
 * along with the program, and a loop is looked for that goes on for ever (product.h).  What is
 * found is executed again, and the formula evaluated along it (confirm.c), before it is told.
 */
#ifndef CHECKER_LIVENESS_H
#define CHECKER_LIVENESS_H

#include "checker/search/check.h"

struct query_set;

/* Searches for infinite runs, after check_run has found no error: result is that one's, and
 * this search's then.  By one worker; under sequential consistency. */
void liveness_run(const struct vm_program *program, const struct check_options *options,
                  struct query_set *queries, struct check_result *result);
/* Does a path of such a run come round again, is it fair if only fair runs count, and does it
 * violate the formula that it tells of? */
bool liveness_confirms(const struct vm_program *program, const struct vm_options *machine,
                       const struct check_path *path, struct query_set *queries);

#endif
