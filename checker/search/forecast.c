/* forecast.c - see forecast.h. */
#include "forecast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/array.h"

/* Levels of even and odd numbers often differ: two are taken together. */
enum { BEFORE = 5 };
static const double MANY = 1e18;

void forecast_fini(struct forecast *forecast)
{
    free(forecast->sizes);
}

/* ---- like binomial coefficients ------------------------------------------------------- */

/* Of n actions any k have been done: C(n, k) states.  From one level to the next these grow by
 * (n - k) / (k + 1), so that two such ratios tell k, and all that follow. */
double forecast_rest(double size, const double before[BEFORE])
{
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
    }
    return all;
}

static double binomial(const struct forecast *forecast)
{
    double before[BEFORE];
    size_t last = forecast->n - 1;
    if (last < BEFORE)
        return HUGE_VAL;
    for (size_t k = 0; k < BEFORE; k++)
        before[k] = forecast->sizes[last - 1 - k];
    double size = forecast->sizes[last], rest = forecast_rest(size, before);
    return rest < MANY ? forecast->all - size + rest : HUGE_VAL;
}

/* ---- like a bell ---------------------------------------------------------------------- */

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

/* Levels follow as the parabola through the last w goes on. */
static double bell(const struct forecast *forecast, size_t w)
{
    static const double flat = -1e-5, none = -0.7, most = 40;
    enum { LEVELS = 20000 };
    if (forecast->n < w)
        return HUGE_VAL;
    struct parabola p = fit(forecast->sizes + forecast->n - w, w);
    double all = forecast->all;
    if (p.a >= flat)
        return HUGE_VAL;
    for (int x = 1; x < LEVELS && all < MANY; x++) {
        double y = (p.a * x + p.b) * x + p.c;
        if (y < none)
            break;
        all += exp(fmin(y, most));
    }
    return all < MANY ? all : HUGE_VAL;
}

/* ---- together --------------------------------------------------------------------------- */

void forecast_add(struct forecast *forecast, double size)
{
    enum { SHORT = 8, LEAST = 6 };
    if (size < 1)
        return;
    ARRAY_PUSH(forecast->sizes, forecast->n, forecast->max, size);
    forecast->all += size;
    memmove(forecast->told[1], forecast->told[0],
            (FORECAST_RECENT - 1) * sizeof *forecast->told);
    size_t half = forecast->n / 2, third = forecast->n / 3;
    const double now[FORECAST_WAYS] = {
        binomial(forecast),
        bell(forecast, SHORT),
        bell(forecast, half < LEAST ? LEAST : half),
        bell(forecast, third < LEAST ? LEAST : third),
    };
    memcpy(forecast->told[0], now, sizeof now);
}

/* Of those that know something: the geometric mean of the last ones, the least and the most of
 * all. */
struct check_forecast forecast_states(const struct forecast *forecast)
{
    enum { KNOWN_NOW = 3, KNOWN = 10, FIRST = 8 };
    static const double wider = 0.5;
    struct check_forecast found = {.least = HUGE_VAL};
    unsigned now = 0, known = 0;
    double logs = 0;
    for (unsigned i = 0; i < FORECAST_RECENT * FORECAST_WAYS; i++) {
        double all = forecast->told[i / FORECAST_WAYS][i % FORECAST_WAYS];
        if (!(all < HUGE_VAL))
            continue;
        all = fmax(all, forecast->all);
        found.least = fmin(found.least, all);
        found.most = fmax(found.most, all);
        logs += i < FORECAST_WAYS ? log(all) : 0;
        now += i < FORECAST_WAYS;
        known++;
    }
    if (forecast->n < FIRST + FORECAST_RECENT || now < KNOWN_NOW || known < KNOWN)
        return (struct check_forecast){0};
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
