/* dpor_forecast.c - how much work the search by executions will have been.
 *
 * What is left to look at now is too little: on the way more is found, so the estimate
 * grows with what is done (Kilby, Slaney, Thiebaux and Walsh, "Estimating search tree
 * size", AAAI 2006, with wakeup trees that are not complete yet).  If it has lately grown
 * as a power of what is done, below 1, it is taken to go on so, up to where the two meet. */
#include <math.h>

#include "dpor_tree.h"

/* Over the last so many doublings of the executions it is seen how the estimate grows, over
 * three at least; from this power on nothing can be said. */
enum { FEWEST = 3, DOUBLINGS = 5 };
static const double STEEP = 0.5;
/* After so many executions it is believed that there is no end in sight. */
enum { SURE = 1024 };

/* Transitions in all, if nothing more is found, and each alternative is as large as those
 * that have been looked at. */
static double estimate(const struct dpor *dpor)
{
    double seen = 0, part = 1;
    for (size_t k = 0; k < dpor->nframes; k++) {
        const struct frame *frame = &dpor->frames[k];
        int done = frame->a ? 0 : frame->next - 1, all = frame->a ? 1 : frame->n;
        for (int i = 0; frame->a && i < frame->n; i++)
            done += frame->a[i].done;
        for (const struct wakeup *left = frame->wakeup; frame->a && left; left = left->next)
            all++;
        all += frame->a ? done : 0;
        seen += part * done / all;
        part /= all;
    }
    return ((double)dpor->stats.transitions - dpor->forecast.before) / (seen + part / 2);
}

bool dpor_has_no_end(const struct dpor *dpor)
{
    return dpor->forecast.need == HUGE_VAL && dpor->stats.executions + dpor->stats.cut >= SURE;
}

void dpor_forecast(struct dpor *dpor)
{
    struct forecast *forecast = &dpor->forecast;
    uint64_t ended = dpor->stats.executions + dpor->stats.cut;
    if (ended & (ended - 1) || dpor->order.stage == PROBING)
        return;
    size_t k = forecast->n++;
    double now = estimate(dpor), all = (double)dpor->stats.transitions;
    double done = all - forecast->before;
    forecast->done[k] = done;
    forecast->most[k] = k ? fmax(now, forecast->most[k - 1]) : now;
    if (k < FEWEST)
        return;
    size_t before = k < DOUBLINGS ? 0 : k - DOUBLINGS;
    forecast->need = HUGE_VAL;
    double slope =
        log(forecast->most[k] / forecast->most[before]) / log(done / forecast->done[before]);
    if (slope < STEEP)
        forecast->need =
            (forecast->before + now * pow(forecast->most[k] / done, slope / (1 - slope))) *
            (dpor_work(dpor) / all);
}
