/* probability.h - the probability that a random run comes to a state in which a query holds.
 * docs/PROBABILITY.md says what a run is.
 *
 * What a run is says docs/PROBABILITY.md.  Run i is determined by the seed and i, and the
 * answer by the runs in their order: it is the same with any number of workers.  Threads: the
 * caller waits. */
#ifndef CHECKER_PROBABILITY_H
#define CHECKER_PROBABILITY_H

#include "checker/search/check.h"
#include "estimate.h"

struct probability_weight {
    const char *function; /* of the threads that began in it */
    double weight;
};

struct probability_options {
    uint64_t runs; /* so many; 0: as many as epsilon takes, or the decision */
    double alpha, epsilon;
    bool decides; /* is it theta at least? */
    double theta, delta, beta;
    const struct probability_weight *weights;
    size_t nweights;
};

enum { PROBABILITY_BARS = 10 };

struct probability {
    enum check_outcome outcome; /* OK, INCOMPLETE by a limit, or INTERRUPTED */
    enum check_limit limit;
    uint64_t runs, satisfied, errors, cut;
    uint64_t dropped; /* these are none: an assumption of the program's failed, and others were
                         made in their places */
    uint64_t steps;   /* of a run, at most */
    enum vm_fault_kind first_error;
    /* An interval means what it says if the number of runs does not depend on how they end: so
     * there is none with a decision, nor where a limit came first. */
    bool has_interval;
    struct interval interval;
    enum decided decided;
    /* Lengths of the runs that satisfy it, in steps: so many from `from` on, each bar for
     * `width` lengths. */
    uint64_t from, width, bars[PROBABILITY_BARS];
};

/* Samples; options->machine has one query, which is REACH. */
void probability_run(const struct vm_program *program, const struct check_options *options,
                     const struct probability_options *asked, struct probability *result);

#endif
