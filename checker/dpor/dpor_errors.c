/* dpor_errors.c - makes a path of an execution that ends in an error, or a race. */
#include "dpor_tree.h"
#include "schedule.h"

void dpor_add_to_schedule(const struct dpor *dpor, struct schedule *schedule, uint32_t event)
{
    const struct causal *causal = &dpor->causal;
    bool last = event == causal->nevents;
    uint64_t thread =
        last ? vm_thread(dpor->vm) : causal->procs[causal->events[event].proc].thread;
    size_t to = event + 1 < dpor->nsteps ? dpor->steps[event + 1].values : dpor->nvalues;
    size_t from = dpor->steps[event].values;
    schedule_add(schedule, thread, dpor->values + from, to - from);
}

enum dpor_end dpor_unsuited(struct dpor *dpor, const char *why)
{
    dpor->why = why;
    return DPOR_UNSUITED;
}

static enum dpor_end run_schedule(struct dpor *dpor, struct schedule *schedule)
{
    bool found = schedule_run(schedule, dpor->program, &dpor->machine, &dpor->path);
    schedule_fini(schedule);
    return found ? DPOR_ERROR : dpor_unsuited(dpor, "the error was not met again");
}

enum dpor_end dpor_error_found(struct dpor *dpor)
{
    struct schedule schedule = {0};
    for (uint32_t i = 0; i <= dpor->causal.nevents; i++)
        dpor_add_to_schedule(dpor, &schedule, i);
    return run_schedule(dpor, &schedule);
}

/* Follows the race of the last event with another one: runs an execution in which only the
 * events that must come between the two do so, with the two in this order or reversed. */
static enum dpor_end follow_race(struct dpor *dpor, bool reversed)
{
    const struct causal *causal = &dpor->causal;
    struct schedule schedule = {0};
    uint32_t last = (uint32_t)causal->nevents - 1;
    const uint16_t *other = causal_clock(causal, causal->racer);
    for (uint32_t i = 0; i < last; i++)
        if (i != causal->racer &&
            (causal_knows(causal, other, i) || causal_knows(causal, causal->race_clock, i)))
            dpor_add_to_schedule(dpor, &schedule, i);
    dpor_add_to_schedule(dpor, &schedule, reversed ? last : causal->racer);
    dpor_add_to_schedule(dpor, &schedule, reversed ? causal->racer : last);
    return run_schedule(dpor, &schedule);
}

/* Finds the order of the two in which the race is an error: memory that is freed, and what only
 * names it, make one in one order only. */
enum dpor_end dpor_race_found(struct dpor *dpor)
{
    enum dpor_end end = follow_race(dpor, false);
    return end == DPOR_ERROR ? end : follow_race(dpor, true);
}
