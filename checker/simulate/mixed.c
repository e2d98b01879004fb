/* mixed.c - the other schedulers in turn, by the number of the run.  None of them is the best
 * for all programs, and what one cannot find another one finds at once: so an error takes at
 * most so many times the runs of the best as there are schedulers. */
#include "scheduler.h"

static const struct scheduler *const others[] = {
    &scheduler_random_walk, &scheduler_pct, &scheduler_pos, &scheduler_surw, &scheduler_uniform,
};

static const struct scheduler *of_run(uint64_t run)
{
    return others[run % (sizeof others / sizeof *others)];
}

const struct scheduler scheduler_mixed = {.name = "mixed", .profiles = true, .of_run = of_run};
