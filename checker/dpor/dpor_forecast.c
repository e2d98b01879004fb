/* dpor_forecast.c - how much work the search by executions will have been.
 *
 * What is left to look at is known as far as it was found: each alternative is taken to be as
 * large as those that have been looked at (Kilby, Slaney, Thiebaux and Walsh, "Estimating
 * search tree size", AAAI 2006, with wakeup trees that are not complete yet).  More is found on
 * the way, and what comes first is not always like the rest, so these figures go up and down.
 */
#include <math.h>

#include "dpor_tree.h"

enum {
    FEWEST = 4, /* executions: twice as many each time.  From the fewest figures on, */
    RECENT = 3, /* the least of the last ones is taken */
};

double dpor_work(const struct dpor *dpor)
{
    enum { TRANSITION = 12 }; /* beside what it executes */
    uint64_t transitions = dpor->stats.transitions;
    return dpor_instructions_of(dpor->counts->instructions, transitions) +
           TRANSITION * (double)transitions;
}

/* Transitions in all, if nothing more is found. */
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

/* Of a transition. */
static double work_of_one(const struct dpor *dpor)
{
    return dpor_work(dpor) / (double)dpor->stats.transitions;
}

void dpor_forecast(struct dpor *dpor)
{
    struct forecast *forecast = &dpor->forecast;
    uint64_t ended = dpor->stats.executions + dpor->stats.cut;
    if (!(ended & (ended - 1)) && dpor->order.stage != PROBING)
        forecast->all[forecast->n++] = forecast->before + estimate(dpor);
}

double dpor_need(const struct dpor *dpor)
{
    const struct forecast *forecast = &dpor->forecast;
    if (forecast->n < FEWEST || dpor->order.stage == PROBING)
        return HUGE_VAL;
    double all = (double)dpor->stats.transitions;
    double least = HUGE_VAL;
    for (size_t k = 1; k <= RECENT; k++)
        least = fmin(least, forecast->all[forecast->n - k]);
    return fmax(least, all) * work_of_one(dpor);
}

double dpor_left(const struct dpor *dpor)
{
    if (dpor->forecast.n < FEWEST || dpor->order.stage == PROBING)
        return HUGE_VAL;
    double done = (double)dpor->stats.transitions - dpor->forecast.before;
    return (estimate(dpor) - done) * work_of_one(dpor);
}
