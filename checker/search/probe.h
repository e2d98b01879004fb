/* probe.h - random runs beside a search: how long runs are, and how many there seem to be.
 *
 * Each run chooses uniformly, and the product of the numbers that it chose from is an unbiased
 * estimate of how many runs there are (Knuth, "Estimating the efficiency of backtrack
 * programs", 1975).  States cannot be estimated so, since runs meet in them. A struct probe
 * belongs to one thread at a time. */
#ifndef CHECKER_PROBE_H
#define CHECKER_PROBE_H

#include "check.h"

struct search;

struct probe {
    bool over;          /* no more runs are wanted, or there is nothing to choose */
    double begun, boot; /* when the search began, by watch_now; processor time of its first
                           transition */
    double spent, need; /* seconds of processor time: all so far; how many the next runs are
                           given at least */
    double logs;        /* of the mean of the products, to the base of 10 */
    uint64_t seed;
    struct check_runs runs;
};

/* Makes some runs, by a machine of their own, as long as that takes a hundredth of the search's
 * time.  No worker may run meanwhile; nothing of the search is changed. */
void probe_some(struct search *search);
/* Returns the transitions of a run, if some runs were made and have about as many; 0: runs wait
 * in loops, and may be as long as they like, or it is not known. */
double probe_length(const struct probe *probe);

#endif
