/* endless.h - runs that never end: a state from which no end of the program can be reached.
 *
 * Such a state leads only to others that are such.  Put all states in an order: of these the
 * last one has no successor that comes later.  So only states of this kind need be looked at,
 * which are few: is there a way from them to an end, or to a later state?  If there is one from
 * each, every state leads to an end.  States are in the order of their levels, and in a level
 * of their fingerprints.  (In a search without levels, a later state is one that was not found
 * yet.) */
#ifndef CHECKER_ENDLESS_H
#define CHECKER_ENDLESS_H

#include "search.h"

/* Does the state with this id, which was found, come after the one that the worker expands? */
bool endless_is_later(const struct search_worker *worker, store_id id);
/* Judges the state that was just expanded, if it has no successor that comes later: an error is
 * noted if there is no path from it to an end, or the state is noted for later if the path is
 * long. */
void endless_judge(struct search_worker *worker);
/* Judges the states that were noted, when the search is through.  An error is noted; or the
 * search is stopped by a limit. */
void endless_judge_far(struct search *search);
/* Finds the path to the first state from which there is no end, on the path to the state of
 * this error.  False if it cannot be found again, or if *halt was set. */
bool endless_path(struct search *search, const struct search_error *error,
                  const _Atomic int *halt, struct check_path *path);

#endif
