/* frontier.h - what the states are about that an incomplete search leaves unexplored: which
 * threads and source lines act next, on which variables.
 *
 * A struct check_frontier owns its texts. */
#ifndef CHECKER_FRONTIER_H
#define CHECKER_FRONTIER_H

#include "check.h"

struct search;

/* Looks at a sample of the states that are left, for a quarter of a second at most.  By worker
 * 0 at the end, while all others wait and none has closed its machine; the states are gone
 * then. */
void frontier_look(struct search *search, struct check_frontier *frontier);
void frontier_fini(struct check_frontier *frontier);

#endif
