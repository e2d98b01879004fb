/* dfs.c - depth-first search by one worker, up to the first error. */
#include <math.h>

#include "checker/search/checkpoint.h"
#include "checker/search/spill.h"
#include "checker/search/unexplored.h"
#include "search.h"

/* Looks at what is left, if a limit or an interrupt has ended the search. */
static void look_at_rest(struct search *search)
{
    if (!search_is_cut_short(search))
        return;
    if (search->dpor)
        dpor_unexplored(search->dpor, search->options, &search->unexplored);
    else
        unexplored_sample(search, &search->unexplored);
}

void *search_dfs(void *arg)
{
    struct search_worker *worker = arg;
    vm_relieve(&worker->search->relief);
    search_expand(worker, NULL, 0);
    struct task task;
    while (!search_stopped(worker->search) && queue_pop(&worker->found, &task))
        search_expand(worker, &task, 0);
    look_at_rest(worker->search);
    search_finished(worker);
    return NULL;
}

/* Runs the search by executions to its end; where checkpoints are written, it stops for them
 * now and then. */
static void run_executions(struct search *search)
{
    static const double SLICE = 3e6; /* of work: about 25 ms */
    do {
        double until = search->saves ? dpor_work(search->dpor) + SLICE : HUGE_VAL;
        search->answer = dpor_run(search->dpor, until, &search->stop);
        if (search->answer == DPOR_MORE && search->saves)
            checkpoint_alone(search);
    } while (search->answer == DPOR_MORE && !search_stopped(search) &&
             !dpor_is_halted(search->dpor));
}

void *search_dpor(void *arg)
{
    struct search_worker *worker = arg;
    struct search *search = worker->search;
    vm_relieve(&search->relief);
    if (search->resumes && !checkpoint_load(search))
        search_stop(search, STOP_LIMIT, CHECK_LIMIT_MEMORY);
    if (search->answer == DPOR_MORE)
        run_executions(search);
    if (dpor_is_halted(search->dpor) && !search_is_halted(search))
        search_stop(search, STOP_LIMIT, spill_memory_limit(search->spill));
    if (dpor_broken(search->dpor))
        search_break(search, dpor_broken(search->dpor));
    else if (search->answer != DPOR_MORE)
        search_stop(search, STOP_DPOR, CHECK_LIMIT_NONE);
    look_at_rest(search);
    search_finished(worker);
    return NULL;
}
