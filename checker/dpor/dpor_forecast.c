/* dpor_forecast.c - forecasts how much work the search by executions will do.
 *
 * What is left to look at is known as far as it was found: each alternative is taken to be as
 * large as those that have been looked at (Kilby, Slaney, Thiebaux and Walsh, "Estimating
 * search tree size", AAAI 2006, with wakeup trees that are not complete yet).  More is found on
 * the way, and what comes first is not always like the rest, so these figures go up and
 * down. */
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "dpor_tree.h"

enum {
    FEWEST = 4, /* executions: twice as many each time.  From the fewest figures on, */
    RECENT = 3, /* the least of the last ones is taken */
};

struct dpor_stats dpor_stats(const struct dpor *dpor)
{
    return dpor->stats;
}

struct vm_stats dpor_machine(const struct dpor *dpor)
{
    struct vm_stats stats = *vm_stats(dpor->vm);
    stats.instructions += dpor->instructions_before;
    return stats;
}

double dpor_objects(const struct dpor *dpor)
{
    const struct dpor_sample *sample = &dpor->sample;
    return sample->transitions ? (double)sample->objects / (double)sample->transitions : 0;
}

size_t dpor_threads(const struct dpor *dpor)
{
    return dpor->causal.nprocs;
}

double dpor_work(const struct dpor *dpor)
{
    enum { TRANSITION = 12, WITH_VALUES = 130 }; /* beside what it executes */
    enum { BYTES = 8 };                          /* of large marks, as long as an instruction */
    uint64_t transitions = dpor->stats.transitions;
    return dpor_instructions_of(dpor->counts->instructions + dpor->instructions_before,
                                transitions) +
           (TRANSITION + (dpor->has_values ? WITH_VALUES : 0)) * (double)transitions +
           (double)dpor->stats.marked / BYTES;
}

bool dpor_has_values(const struct dpor *dpor)
{
    return dpor->has_values;
}

/* Estimates the transitions in all, if nothing more is found. */
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

/* Returns the work of one transition. */
static double work_of_one(const struct dpor *dpor)
{
    return dpor_work(dpor) / (double)dpor->stats.transitions;
}

/* ---- told to others -------------------------------------------------------------- */

/* Remembers an estimate, from time to time: after a quarter more transitions. */
static void remember(struct dpor *dpor)
{
    static const double more = 1.25;
    struct executions *forecast = &dpor->forecast;
    double done = (double)dpor->stats.transitions - forecast->before;
    if (forecast->nrecent && done < more * forecast->after[0])
        return;
    size_t bytes = (EXECUTIONS_RECENT - 1) * sizeof *forecast->recent;
    memmove(forecast->recent + 1, forecast->recent, bytes);
    memmove(forecast->after + 1, forecast->after, bytes);
    forecast->recent[0] = estimate(dpor);
    forecast->after[0] = done;
    forecast->nrecent += forecast->nrecent < EXECUTIONS_RECENT;
}

/* Continues the estimates as they have grown: as a power of what was done, up to where all is
 * done.  HUGE_VAL: they grow as fast as what is done. */
static double go_on(const struct executions *forecast)
{
    enum { OLD = EXECUTIONS_RECENT - 1 };
    static const double least_slope = 0.05;
    double now = log(forecast->recent[0]), done = log(forecast->after[0]);
    double power = (now - log(forecast->recent[OLD])) / (done - log(forecast->after[OLD]));
    return 1 - power < least_slope ? HUGE_VAL : exp((now - power * done) / (1 - power));
}

/* Forecasts the executions, with a spread: between the last estimates, where they go to, and
 * beyond, since most often there are less (docs/PERFORMANCE.md). */
static struct check_forecast in_all(const struct dpor *dpor)
{
    static const double less = 2.5, more = 1.5;
    const struct executions *forecast = &dpor->forecast;
    double done = (double)dpor->stats.transitions - forecast->before;
    double end = forecast->nrecent < EXECUTIONS_RECENT ? HUGE_VAL : go_on(forecast);
    if (!(end < HUGE_VAL) || dpor->order.stage == PROBING)
        return (struct check_forecast){0};
    double now = forecast->recent[0], least = fmin(now, end), most = fmax(now, end);
    for (size_t k = 1; k < EXECUTIONS_RECENT; k++) {
        least = fmin(least, forecast->recent[k]);
        most = fmax(most, forecast->recent[k]);
    }
    double each = (double)dpor->stats.executions / done; /* of a transition */
    return (struct check_forecast){
        .all = fmax(sqrt(now * end), done) * each,
        .least = fmax(least / less, done) * each,
        .most = fmax(most * more, done) * each,
    };
}

void dpor_tell(struct dpor *dpor)
{
    struct told *told = &dpor->told;
    struct check_forecast all = in_all(dpor);
    atomic_store_explicit(&told->executions, dpor->stats.executions, memory_order_relaxed);
    atomic_store_explicit(&told->transitions, dpor->stats.transitions, memory_order_relaxed);
    atomic_store_explicit(&told->depth, dpor->stats.depth, memory_order_relaxed);
    atomic_store_explicit(&told->all, all.all, memory_order_relaxed);
    atomic_store_explicit(&told->least, all.least, memory_order_relaxed);
    atomic_store_explicit(&told->most, all.most, memory_order_relaxed);
}

struct dpor_progress dpor_progress(const struct dpor *dpor)
{
    const struct told *told = &dpor->told;
    return (struct dpor_progress){
        .executions = atomic_load_explicit(&told->executions, memory_order_relaxed),
        .transitions = atomic_load_explicit(&told->transitions, memory_order_relaxed),
        .depth = atomic_load_explicit(&told->depth, memory_order_relaxed),
        .in_all = {atomic_load_explicit(&told->all, memory_order_relaxed),
                   atomic_load_explicit(&told->least, memory_order_relaxed),
                   atomic_load_explicit(&told->most, memory_order_relaxed)},
    };
}

/* ---- for the portfolio ----------------------------------------------------------- */

void dpor_forecast(struct dpor *dpor)
{
    struct executions *forecast = &dpor->forecast;
    uint64_t ended = dpor->stats.executions + dpor->stats.cut;
    bool probing = dpor->order.stage == PROBING;
    if (!(ended & (ended - 1)) && !probing)
        forecast->all[forecast->n++] = forecast->before + estimate(dpor);
    if (!probing)
        remember(dpor);
    dpor_tell(dpor);
}

double dpor_need(const struct dpor *dpor)
{
    const struct executions *forecast = &dpor->forecast;
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
