/* forecast.h - a forecast of the number of states, by the sizes of the levels so far.
 *
 * Levels grow at first, ever less, and then fall, ever more.  Their sizes are continued in
 * several ways; how far these differ, from each other and from one level to the next, is the
 * spread.  Before the growth begins to slow down nothing is known.
 * A struct forecast belongs to one thread at a time. */
#ifndef CHECKER_FORECAST_H
#define CHECKER_FORECAST_H

#include "check.h"

struct forecast {
    double *sizes; /* of all levels but the boot */
    size_t n, max;
    double all; /* their sum */
    double run; /* the transitions of a run, where all have about as many; 0: not known */
};

void forecast_fini(struct forecast *forecast);
/* Adds a level. */
void forecast_add(struct forecast *forecast, double size);
/* Forecasts the number of states.  That takes time in proportion to the number of levels so far
 * and to come, so it is not done for each level. */
struct check_forecast forecast_states(const struct forecast *forecast);
/* Returns how many times as many states the last level has as the one before; 0: not known. */
double forecast_growth(const struct forecast *forecast);

/* Returns how many states a level and all after it have, by the sizes of the five before it,
 * the latest first (0: there was none). */
double forecast_rest(double size, const double before[5]);

#endif
