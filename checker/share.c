/* share.c - the search by executions beside a breadth-first one.
 *
 * It may do a small part of the work that the states have been; and more where it seems to
 * be through first.  Worker 0 gives it its turn before each chunk of a level: what it may
 * do there depends on counts alone, so the same search answers in every run, on any
 * number of workers. */
#include <math.h>

#include "search.h"

enum {
    FIRST_STATES = 256, /* programs with fewer are done before the other search would be */
    PART = 8,
    KNOWN = 2, /* most of what a search by states does need not be executed again (memo.h):
                  an instruction of its own takes half the time or less */
};

/* Levels grow at first, ever less, and then fall, ever more: like the binomial coefficients
 * C(n, k) of n actions of which any k have been done.  From one to the next these grow by
 * (n - k) / (k + 1), so that two such ratios tell k, and all that follow: how many states are
 * still to be expanded. */
static double expected(const struct search_level *level)
{
    static const double latest = 20, many = 1e18;
    double n = (double)level->states, ratio = n / level->before[0], all = n, k = 0;
    if (level->before[1] > 0)
        k = (ratio + 1) / fmax(level->before[0] / level->before[1] - ratio, 0);
    for (k = fmin(k, latest); all < many; k++) {
        ratio = (ratio * (k + 1) - 1) / (k + 2);
        n *= ratio;
        if (n < 1)
            break;
        all += n;
    }
    return all;
}

void share_plan(struct search *search)
{
    struct search_level *level = &search->level;
    struct check_progress progress = search_progress(search);
    uint64_t instructions = 0;
    for (unsigned i = 0; i < search->nworkers; i++)
        instructions += vm_stats(search->workers[i].vm)->instructions;
    level->turns = 0;
    level->work = dpor_work_of(instructions, progress.transitions) / KNOWN;
    level->state_work = level->work / (double)(progress.states + 1);
    level->is_shared = progress.states >= FIRST_STATES && level->n;
    if (level->is_shared)
        level->most = level->work + level->state_work * expected(level);
    level->before[1] = level->before[0];
    level->before[0] = (double)level->states;
}

size_t share_chunks(const struct search_level *level, size_t states)
{
    size_t chunks = (states + level->full - 1) / level->full;
    return states < level->states && chunks < level->n ? chunks : level->n;
}

/* The other search has found an error, perhaps not the shortest: this one, which has expanded
 * that many states of the level, goes on for as many as it has expanded at all. */
static void be_patient(struct search_level *level, size_t states)
{
    size_t end = states + level->expanded + states;
    level->patience = end > level->states ? end - level->states : 0;
    atomic_store_explicit(&level->limit, share_chunks(level, end), memory_order_relaxed);
}

/* Before this chunk, or after all. */
static void take_turn(struct search *search, size_t chunk)
{
    struct search_level *level = &search->level;
    size_t states = chunk == level->n ? level->states : chunk * level->full;
    if (states > level->states)
        states = level->states; /* not all chunks are full */
    double work = level->work + level->state_work * (double)states;
    struct dpor_budget budget = {.share = work / PART, .most = level->most};
    search->answer = dpor_run(search->dpor, budget, &search->at_once);
    if (dpor_is_halted(search->dpor) && !search_is_halted(search))
        search_stop(search, STOP_LIMIT, watch_memory_limit(search));
    if (dpor_join_order_matters(search->dpor))
        search_stop(search, STOP_ORDER, CHECK_LIMIT_NONE);
    else if (search->answer == DPOR_COMPLETE)
        search_stop(search, STOP_DPOR, CHECK_LIMIT_NONE);
    else if (search->answer == DPOR_ERROR)
        be_patient(level, states);
}

bool share_has_turns(const struct search *search)
{
    return search->dpor && search->level.is_shared && search->answer == DPOR_MORE;
}

/* The others may have taken some of the chunks before this one.  They may even have come
 * to the limit of states: the turns that are due are taken all the same, so it doesn't
 * depend on who is faster whether there is an answer. */
void share_take(struct search *search, size_t turns)
{
    struct search_level *level = &search->level;
    while (share_has_turns(search) && level->turns < turns)
        take_turn(search, level->turns++);
}
