/* Intervals of Clopper and Pearson, and Wald's test: known values, and how often they are
 * wrong. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker/simulate/estimate.h"
#include "checker/simulate/random.h"

enum { REPETITIONS = 1000 };

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-4;
}

/* From tables: of 10 trials none and 3, of 100 half. */
static void test_known_intervals(void **state)
{
    (void)state;
    struct interval none = estimate_interval(0, 10, 0.05),
                    all = estimate_interval(10, 10, 0.05);
    struct interval some = estimate_interval(3, 10, 0.05),
                    half = estimate_interval(50, 100, 0.05);
    assert_true(none.low == 0 && is_near(none.high, 0.3085));
    assert_true(all.high == 1 && is_near(all.low, 0.6915));
    assert_true(is_near(some.low, 0.0667) && is_near(some.high, 0.6525));
    assert_true(is_near(half.low, 0.3983) && is_near(half.high, 0.6017));
}

static void test_enough_trials(void **state)
{
    (void)state;
    uint64_t n = estimate_trials(0.05, 0.01, 1 << 22);
    struct interval widest = estimate_interval(n / 2, n, 0.05);
    struct interval fewer = estimate_interval((n - 1) / 2, n - 1, 0.05);
    assert_true(widest.high - widest.low <= 0.02 && fewer.high - fewer.low > 0.02);
    assert_int_equal(estimate_trials(0.05, 1e-6, 1000), 1000);
}

static bool is_so(struct random *random, double p)
{
    return ldexp((double)(random_next(random) >> 11), -53) < p;
}

/* 95 % of the intervals contain what they are about. */
static void test_coverage(void **state)
{
    (void)state;
    for (int k = 1; k < 20; k++) {
        double p = k / 20.0;
        int missed = 0;
        for (uint64_t i = 0; i < REPETITIONS; i++) {
            struct random random = random_seeded((uint64_t)k, i);
            uint64_t n = 300, found = 0;
            for (uint64_t j = 0; j < n; j++)
                found += is_so(&random, p);
            struct interval interval = estimate_interval(found, n, 0.05);
            missed += p < interval.low || p > interval.high;
        }
        assert_in_range(missed, 0, REPETITIONS / 20 + 20);
    }
}

/* Returns with which probability the interval of n trials contains p. */
static double coverage(const struct interval *interval, uint64_t n, double p)
{
    double sum = 0;
    for (uint64_t k = 0; k <= n; k++)
        if (interval[k].low <= p && p <= interval[k].high)
            sum += exp(lgamma((double)n + 1) - lgamma((double)k + 1) -
                       lgamma((double)(n - k) + 1) + (double)k * log(p) +
                       (double)(n - k) * log1p(-p));
    return sum;
}

/* As exactly as numbers are, for each p on a grid: 1 - alpha is the least. */
static void test_exact_coverage(void **state)
{
    (void)state;
    enum { MOST = 1000, GRID = 499 };
    static const uint64_t trials[] = {1, 10, 100, MOST};
    static const double alphas[] = {0.01, 0.05, 0.2};
    static struct interval interval[MOST + 1];
    for (size_t t = 0; t < sizeof trials / sizeof *trials; t++)
        for (size_t a = 0; a < sizeof alphas / sizeof *alphas; a++) {
            uint64_t n = trials[t];
            for (uint64_t k = 0; k <= n; k++)
                interval[k] = estimate_interval(k, n, alphas[a]);
            for (int p = 1; p < GRID; p++)
                assert_true(coverage(interval, n, (double)p / GRID) >= 1 - alphas[a] - 1e-9);
        }
}

static enum decided decide(uint64_t seed, double p, double theta)
{
    struct random random = random_seeded(seed, 0);
    struct decision decision = decision_begin(theta, 0.05, 0.05, 0.1);
    enum decided decided = DECIDED_NOT_YET;
    while (decided == DECIDED_NOT_YET)
        decided = decision_trial(&decision, is_so(&random, p));
    return decided;
}

/* A "no" is wrong in 5 % of the cases, a "yes" in 10 %. */
static void test_decisions(void **state)
{
    (void)state;
    for (int k = 2; k < 19; k++) {
        double theta = k / 20.0;
        int wrong_no = 0, wrong_yes = 0;
        for (uint64_t i = 0; i < REPETITIONS; i++) {
            wrong_no += decide(i, theta + 0.05, theta) == DECIDED_NO;
            wrong_yes += decide(i, theta - 0.05, theta) == DECIDED_YES;
        }
        assert_in_range(wrong_no, 0, REPETITIONS / 20 + 20);
        assert_in_range(wrong_yes, 0, REPETITIONS / 10 + 25);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_intervals), cmocka_unit_test(test_enough_trials),
        cmocka_unit_test(test_coverage),        cmocka_unit_test(test_exact_coverage),
        cmocka_unit_test(test_decisions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
