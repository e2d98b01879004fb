/* checkpoint.h - a breadth-first search, or one by executions, as a file, from which it can go
 * on.
 *
 * Written while all workers wait between two chunks: the visited set, the chunks of the level
 * and of the next one, the counts, and the search by executions (dpor_saved.c).  A search that
 * goes on from it comes to the same counts, the same answer, and an error of the same length,
 * on any number of workers.
 *
 * Threads: what is asked of a search may be asked by any; checkpoint_meet by all its workers;
 * the others as they say. */
#ifndef CHECKER_CHECKPOINT_H
#define CHECKER_CHECKPOINT_H

#include "check.h"

struct search;
struct search_worker;

/* Lists the assumptions that the search of a file has dropped, one after the other, and returns
 * how many.  -1: it cannot be read. */
int checkpoint_dropped(const char *file, unsigned list[VM_ASSUMPTIONS]);
/* Loads a checkpoint, instead of the boot: by worker 0 at the beginning, while all others wait.
 * False if it cannot be read, or there is no memory. */
bool checkpoint_load(struct search *search);

/* Asks for a checkpoint soon; with a reason to stop, the search stops after it. */
void checkpoint_ask(struct search *search, int stop, enum check_limit limit);
/* Is a checkpoint wanted?  Workers take no more chunks then. */
bool checkpoint_is_wanted(const struct search *search);
/* Does the search stop after the checkpoint that is wanted? */
bool checkpoint_stops(const struct search *search);
/* Lets a worker that takes no more chunks meet all others.  True: a checkpoint was written or
 * tried, and the level goes on. */
bool checkpoint_meet(struct search_worker *worker);
/* Writes a checkpoint that is wanted in a search by executions, whose only worker asks between
 * two transitions. */
void checkpoint_alone(struct search *search);

/* watch.c.  checkpoint_is_due: is it time for one?  checkpoint_is_late: was the search asked to
 * stop so long ago that it has to stop without one? */
bool checkpoint_is_due(const struct search *search, double now);
bool checkpoint_is_late(const struct search *search, double now);

#endif
