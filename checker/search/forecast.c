/* forecast.c - see forecast.h. */
#include "forecast.h"

#include <math.h>
#include <stdlib.h>

#include "checker/array.h"

/* How many levels are looked at.  Those of even and odd numbers often differ: two are taken
 * together. */
enum { BEFORE = 5 };
/* In how many ways levels are continued, and after how many of the last levels. */
enum { WAYS = 4, RECENT = 4 };
static const double MANY = 1e18;

void forecast_fini(struct forecast *forecast)
{
    free(forecast->sizes);
}

/* ---- like binomial coefficients -------------------------------------------------- */

/* Returns the sum of the levels that are left.  If of n actions any k have been done, there are
 * C(n, k) states.  From one level to the next these grow by (n - k) / (k + 1), so that two such
 * ratios tell k, and all that follow. */
static double rest(double size, const double before[BEFORE], double *levels)
{
    *levels = 0;
    static const double latest = 20;
    double n = size + before[0], all = size, k = 0;
    double ratio = n / (before[1] + before[2]),
           old = (before[1] + before[2]) / (before[3] + before[4]);
    if (before[4] > 0)
        k = (ratio + 1) / fmax(old - ratio, 0);
    for (k = fmin(k, latest); all < MANY; k++) {
        ratio = (ratio * (k + 1) - 1) / (k + 2);
        n *= ratio;
        if (!(n >= 1))
            break;
        all += n;
        ++*levels;
    }
    return all;
}

double forecast_rest(double size, const double before[BEFORE])
{
    double levels;
    return rest(size, before, &levels);
}

/* Does the forecast end long before runs do?  Where runs end, there are states. */
static bool ends_early(const struct forecast *forecast, double levels)
{
    static const double part = 0.5;
    return (double)forecast->n + levels < part * forecast->run;
}

static double binomial(const struct forecast *forecast)
{
    double before[BEFORE];
    size_t last = forecast->n - 1;
    if (last < BEFORE)
        return HUGE_VAL;
    for (size_t k = 0; k < BEFORE; k++)
        before[k] = forecast->sizes[last - 1 - k];
    double size = forecast->sizes[last], levels, more = rest(size, before, &levels);
    return more < MANY && !ends_early(forecast, levels) ? forecast->all - size + more
                                                        : HUGE_VAL;
}

/* ---- like a bell ----------------------------------------------------------------- */

/* The parabola a x^2 + b x + c through the logarithms of the last w sizes, by least squares; x
 * is 0 at the last one.  The points are as far from each other on both sides of their middle m,
 * where the equations are simple. */
struct parabola {
    double a, b, c;
};

static struct parabola fit(const double *sizes, size_t w)
{
    double m = ((double)w - 1) / 2, n = (double)w, s2 = 0, s4 = 0, t0 = 0, t1 = 0, t2 = 0;
    for (size_t k = 0; k < w; k++) {
        double x = (double)k - m, y = log(sizes[k]);
        s2 += x * x;
        s4 += x * x * x * x;
        t0 += y;
        t1 += x * y;
        t2 += x * x * y;
    }
    double a = (n * t2 - s2 * t0) / (n * s4 - s2 * s2), b = t1 / s2, c = (t0 - a * s2) / n;
    return (struct parabola){a, b + 2 * a * m, c + b * m + a * m * m};
}

/* Continues the levels by the parabola through the last w of them. */
static double bell(const struct forecast *forecast, size_t w)
{
    static const double flat = -1e-5, none = -0.7, most = 40;
    enum { LEVELS = 20000 };
    if (forecast->n < w)
        return HUGE_VAL;
    struct parabola p = fit(forecast->sizes + forecast->n - w, w);
    double all = forecast->all;
    int x;
    if (p.a >= flat)
        return HUGE_VAL;
    for (x = 1; x < LEVELS && all < MANY; x++) {
        double y = (p.a * x + p.b) * x + p.c;
        if (y < none)
            break;
        all += exp(fmin(y, most));
    }
    return all < MANY && !ends_early(forecast, x) ? all : HUGE_VAL;
}

/* ---- by the length of runs ------------------------------------------------------- */

/* Returns the logarithm of the size of level j, up to a power.  Of n threads with as many
 * actions each, all of which can be in any order, level j has about as many states as a power
 * of j (d - j) says, if a run has d transitions. */
static double log_at(double j, double d)
{
    return log((j + 1) * (d - j));
}

/* Finds the power, by some of the levels: least squares of logarithms. */
static double power_of(const struct forecast *forecast, size_t from, size_t to, double d)
{
    double mx = 0, my = 0, sxx = 0, sxy = 0;
    for (size_t j = from; j < to; j++) { /* as they come: Welford, 1962 */
        double x = log_at((double)j, d), y = log(forecast->sizes[j]);
        double dx = x - mx;
        mx += dx / (double)(j - from + 1);
        my += (y - my) / (double)(j - from + 1);
        sxx += dx * (x - mx);
        sxy += dx * (y - my);
    }
    return sxy / sxx;
}

/* Returns how many states there are, if the levels go on by this power. */
static double by_power(const struct forecast *forecast, double power, double d)
{
    double all = forecast->all, n = (double)forecast->n;
    double base = log(forecast->sizes[forecast->n - 1]) - power * log_at(n - 1, d);
    for (double j = n; j < d; j++)
        all += exp(base + power * log_at(j, d));
    return all;
}

/* Forecasts by the length of runs, if levels alone tell nothing, or are so few that their
 * growth has hardly begun to slow down.  Symmetric threads are counted once, so that the power
 * grows at first: it is taken to grow on.  By far most often there are more states, since
 * threads have different lengths, and branch (docs/PERFORMANCE.md). */
static struct check_forecast states_by_runs(const struct forecast *forecast)
{
    enum { LEAST = 16, LEVELS = 1000000, LATER = 2, LATEST = 3, VERY_EARLY = 20 };
    static const double least = 0.2, usual = 3, most = 50;
    double d = fmin(forecast->run, LEVELS) + 1;
    size_t n = forecast->n;
    if (n < LEAST || (double)n + 1 >= d)
        return (struct check_forecast){0};
    double power = power_of(forecast, n / 2, n, d);
    double more = fmax(power - power_of(forecast, n / 4, n / 2, d), 0);
    double latest = LATEST + ((double)n * VERY_EARLY < d);
    double now = by_power(forecast, power, d);
    double later = by_power(forecast, power + LATER * more, d);
    double end = by_power(forecast, power + latest * more, d) * most;
    static const double nothing = 1e9; /* a spread that says nothing */
    double lowest = fmax(fmin(now, later) * least, forecast->all);
    double highest = fmax(end, later * most);
    if (!(power > 0) || !(highest < nothing * lowest))
        return (struct check_forecast){0};
    return (struct check_forecast){fmax(later * usual, forecast->all), lowest, highest};
}

/* ---- together -------------------------------------------------------------------- */

void forecast_add(struct forecast *forecast, double size)
{
    if (size < 1)
        return;
    ARRAY_PUSH(forecast->sizes, forecast->n, forecast->max, size);
    forecast->all += size;
}

/* Continues the levels in each way.  HUGE_VAL: nothing is known. */
static void continue_levels(const struct forecast *forecast, double in_all[WAYS])
{
    enum { SHORT = 8, LEAST = 6 };
    size_t half = forecast->n / 2, third = forecast->n / 3;
    in_all[0] = binomial(forecast);
    in_all[1] = bell(forecast, SHORT);
    in_all[2] = bell(forecast, half < LEAST ? LEAST : half);
    in_all[3] = bell(forecast, third < LEAST ? LEAST : third);
}

/* Forecasts the number of states: the geometric mean of the last forecasts, and the least and
 * the most of all.  If too few know something, or it is too early, the length of runs
 * decides. */
struct check_forecast forecast_states(const struct forecast *forecast)
{
    enum { KNOWN_NOW = 3, KNOWN = 10, FIRST = 8 };
    static const double wider = 0.5, part = 1.0 / 3;
    struct check_forecast found = {.least = HUGE_VAL};
    struct forecast then = *forecast; /* some levels ago */
    unsigned now = 0, known = 0;
    double logs = 0;
    if ((double)forecast->n < part * forecast->run || forecast->n < FIRST + RECENT)
        return states_by_runs(forecast);
    for (unsigned ago = 0; ago < RECENT; ago++) {
        double in_all[WAYS];
        continue_levels(&then, in_all);
        for (unsigned way = 0; way < WAYS; way++) {
            double all = fmax(in_all[way], forecast->all);
            if (!(all < HUGE_VAL))
                continue;
            found.least = fmin(found.least, all);
            found.most = fmax(found.most, all);
            logs += ago == 0 ? log(all) : 0;
            now += ago == 0;
            known++;
        }
        then.all -= then.sizes[--then.n];
    }
    if (now < KNOWN_NOW || known < KNOWN)
        return states_by_runs(forecast);
    found.all = exp(logs / now);
    found.least -= wider * (found.least - forecast->all);
    found.most += wider * (found.most - forecast->all);
    return found;
}

double forecast_growth(const struct forecast *forecast)
{
    const double *end = forecast->sizes + forecast->n;
    return forecast->n < 3 ? 0 : (end[-1] + end[-2]) / (end[-2] + end[-3]);
}
