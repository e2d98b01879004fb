/* unexplored.h - the states that an incomplete search leaves unexplored: which threads and
 * source lines act next, on which variables.
 *
 * A struct check_unexplored owns its texts. */
#ifndef CHECKER_UNEXPLORED_H
#define CHECKER_UNEXPLORED_H

#include "check.h"

struct search;

/* Explores a sample of the states that are left, for a quarter of a second at most.  By worker
 * 0 at the end, while all others wait and none has closed its machine; the states are gone
 * then. */
void unexplored_sample(struct search *search, struct check_unexplored *unexplored);
void unexplored_fini(struct check_unexplored *unexplored);

#endif
