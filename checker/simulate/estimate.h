/* estimate.h - the mathematics of samples: how much k of n say about a probability.
 *
 * Intervals are those of Clopper and Pearson (1934), decisions those of Wald's sequential test
 * (1945); the beta distribution is gsl's. */
#ifndef CHECKER_ESTIMATE_H
#define CHECKER_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct interval {
    double low, high;
};

/* The interval of Clopper and Pearson: if k of n independent trials have succeeded, it contains
 * the probability of success with confidence 1 - alpha at least. */
struct interval estimate_interval(uint64_t k, uint64_t n, double alpha);
/* Returns the least number of trials with which no interval is wider than 2 epsilon; most if
 * that is not enough. */
uint64_t estimate_trials(double alpha, double epsilon, uint64_t most);

/* Is the probability theta at least?  If it is theta + delta or more the answer is wrong with
 * the probability alpha at most, if it is theta - delta or less, with beta; in between either
 * answer will do. */
struct decision {
    double yes, no;        /* what a trial that is so, or not, adds to the sum */
    double accept, reject; /* the sums at which it is over: below, above */
    double sum;
    uint64_t n; /* trials so far */
};
enum decided { DECIDED_NOT_YET, DECIDED_YES, DECIDED_NO };

/* Begins a decision; 0 < theta - delta, theta + delta < 1. */
struct decision decision_begin(double theta, double delta, double alpha, double beta);
enum decided decision_trial(struct decision *decision, bool is_so);

#endif
