/* forecast_test.c - how many states there will have been, by levels whose sizes are known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "checker/search/forecast.h"

_Noreturn void vm_exhausted(void);
_Noreturn void vm_exhausted(void)
{
    __builtin_trap();
}

/* C(n, k) states in level k, of which the first `levels` are told. */
static struct check_forecast of_binomials(int n, int levels)
{
    struct forecast forecast = {0};
    double size = 1;
    for (int k = 0; k < levels; k++) {
        forecast_add(&forecast, round(size));
        size = size * (n - k) / (k + 1);
    }
    struct check_forecast all = forecast_states(&forecast);
    forecast_fini(&forecast);
    return all;
}

static void test_nothing_is_known_at_first(void **state)
{
    (void)state;
    assert_true(of_binomials(40, 6).all == 0);
    struct forecast forecast = {0};
    for (int k = 0; k < 30; k++)
        forecast_add(&forecast, pow(2, k)); /* it does not slow down */
    assert_true(forecast_states(&forecast).all == 0);
    assert_true(fabs(forecast_growth(&forecast) - 2) < 1e-6);
    forecast_fini(&forecast);
}

static void test_binomials(void **state)
{
    (void)state;
    double all = pow(2, 40);
    for (int levels = 19; levels <= 41; levels++) {
        struct check_forecast found = of_binomials(40, levels);
        assert_true(found.least <= found.all && found.all <= found.most);
        assert_true(found.least <= all * 1.01 && all <= found.most * 1.01);
        assert_true(found.all > all / 2 && found.all < all * 2);
    }
}

static void test_never_less_than_there_are(void **state)
{
    (void)state;
    struct forecast forecast = {0};
    double all = 0;
    for (int k = 0; k < 200; k++) {
        double size = 100 + k % 7 * 50;
        forecast_add(&forecast, size);
        all += size;
        struct check_forecast found = forecast_states(&forecast);
        assert_true(!found.all || (found.least >= all && found.most >= found.least));
    }
    forecast_fini(&forecast);
}

/* The first levels of a search whose runs have so many transitions, with j^3 (d - j)^3 states
 * in level j. */
static struct check_forecast of_runs(double d, int levels, double *all)
{
    struct forecast forecast = {.run = d - 1};
    *all = 0;
    for (int j = 1; j < d; j++) {
        double size = pow(j * (d - j) / d, 3);
        *all += size;
        if (j <= levels)
            forecast_add(&forecast, size);
    }
    struct check_forecast found = forecast_states(&forecast);
    forecast_fini(&forecast);
    return found;
}

static void test_runs_are_longer(void **state)
{
    (void)state;
    double all;
    for (int levels = 20; levels <= 150; levels++) {
        struct check_forecast found = of_runs(400, levels, &all);
        assert_true(found.least <= all && all <= found.most);
    }
    struct forecast forecast = {.run = 1e9}; /* longer than any run that is made */
    for (int k = 0; k < 30; k++)
        forecast_add(&forecast, 1 + k);
    assert_true(forecast_states(&forecast).all > 0);
    forecast_fini(&forecast);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_known_at_first),
        cmocka_unit_test(test_binomials),
        cmocka_unit_test(test_never_less_than_there_are),
        cmocka_unit_test(test_runs_are_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
