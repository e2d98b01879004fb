/* estimate.c - see estimate.h. */
#include "estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Returns where the distribution function gets to p.  (gsl's own inverse does not always
 * converge.) */
static double quantile(double p, double a, double b)
{
    enum { BITS = 60 };
    double low = 0, high = 1;
    for (int i = 0; i < BITS; i++) {
        double middle = (low + high) / 2;
        if (gsl_cdf_beta_P(middle, a, b) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

struct interval estimate_interval(uint64_t k, uint64_t n, double alpha)
{
    struct interval interval = {0, 1};
    if (k > 0)
        interval.low = quantile(alpha / 2, (double)k, (double)(n - k) + 1);
    if (k < n)
        interval.high = quantile(1 - alpha / 2, (double)k + 1, (double)(n - k));
    return interval;
}

/* Is the widest interval of n trials narrow enough?  It is that where half of them succeed. */
static bool is_enough(uint64_t n, double alpha, double epsilon)
{
    struct interval widest = estimate_interval(n / 2, n, alpha);
    return widest.high - widest.low <= 2 * epsilon;
}

uint64_t estimate_trials(double alpha, double epsilon, uint64_t most)
{
    uint64_t few = 0, many = 1;
    while (many < most && !is_enough(many, alpha, epsilon)) {
        few = many;
        many = many < most / 2 ? 2 * many : most;
    }
    while (few + 1 < many) {
        uint64_t middle = few + (many - few) / 2;
        if (is_enough(middle, alpha, epsilon))
            many = middle;
        else
            few = middle;
    }
    return many;
}

/* The sum is the logarithm of the likelihood of theta - delta, divided by that of theta +
 * delta. */
struct decision decision_begin(double theta, double delta, double alpha, double beta)
{
    double high = theta + delta, low = theta - delta;
    return (struct decision){
        .yes = log(low / high),
        .no = log((1 - low) / (1 - high)),
        .accept = log(beta),
        .reject = -log(alpha),
    };
}

enum decided decision_trial(struct decision *decision, bool is_so)
{
    decision->n++;
    decision->sum += is_so ? decision->yes : decision->no;
    if (decision->sum <= decision->accept)
        return DECIDED_YES;
    return decision->sum >= decision->reject ? DECIDED_NO : DECIDED_NOT_YET;
}
