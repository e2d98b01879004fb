/* portfolio.c - shares the time between a breadth-first search and the search by executions.
 *
 * Nobody knows beforehand which of the two ends first: a program with few states may have an
 * execution for each order of its threads' actions, and a program with few executions may have
 * a state for each set of actions that are done. So the two searches take turns, and each has
 * half of the time. A search that seems to need much less than the other gets more than half,
 * up to four fifths (executions twelve thirteenths, where loads may read older stores); the
 * other still goes on, since the forecast may be wrong. At the beginning the search by
 * executions is ahead.
 *
 * Time is not measured: it is computed from counts of what the searches do, so that the same
 * search answers in every run, on any number of workers. Worker 0 gives the search by
 * executions its turn before each chunk of a level. */
#include <math.h>

#include "checker/search/checkpoint.h"
#include "checker/search/forecast.h"
#include "checker/search/spill.h"
#include "search.h"

enum {
    FIRST_STATES = 128,    /* programs with fewer are done before the other search would be */
    FIRST_WORK = 12000000, /* of executions, about 0.1 s: until then they may do */
    FIRST_PART = 8,        /* so many times as much as the other search */
    FEW_OBJECTS = 8, /* made since threads began: a fingerprint with no more of them is quick */
    GRACE = 4,       /* after the other's error, if it does not take longer: so many times */
                     /* what was done */
    NEAR_END = 4,    /* what is left to do is that part of what was done */
};
/* Costs of states, in instructions of executions: most instructions of a search by states need
 * not be executed again (vm/tcache/tcache.h), but each state has a fingerprint, which visits
 * objects, and a place in the store. */
static const double INSTRUCTION = 0.6, TRANSITION = 30, OBJECT = 18;
/* The cost of memory orders: where loads may read older stores, what is known of these is
 * written and hashed with each state. */
static const double ORDERS = 360;
/* If loads may read older stores, executions have three times what states have: what makes
 * executions many there makes states many as well.  With half of the time for each, executions
 * answered first for 32 of 40 lock-free programs. */
static const double WITH_VALUES = 3;

/* Returns the work of the search by states when it has expanded that many states of the level,
 * computed from the work of all levels before. */
static double work_of(const struct search_level *level, const struct dpor *dpor, double states)
{
    double objects = fmax(dpor_objects(dpor) - FEW_OBJECTS, 0);
    double before =
        INSTRUCTION * dpor_instructions_of(level->instructions, level->transitions) +
        (TRANSITION + OBJECT * objects + (dpor_has_values(dpor) ? ORDERS : 0)) *
            (double)level->transitions;
    return before * (1 + states / level->found);
}

static void remember(struct search_level *level)
{
    enum { LEVELS = sizeof level->before / sizeof *level->before };
    for (size_t k = LEVELS - 1; k > 0; k--)
        level->before[k] = level->before[k - 1];
    level->before[0] = (double)level->states;
}

void portfolio_plan(struct search *search)
{
    struct search_level *level = &search->level;
    struct check_progress progress = search_progress(search);
    level->turns = 0;
    level->is_shared = search->dpor && progress.states >= FIRST_STATES && level->n;
    level->transitions = progress.transitions;
    level->found = (double)progress.states + 1;
    level->instructions = search->instructions_before;
    for (unsigned i = 0; i < search->nworkers; i++)
        level->instructions +=
            vm_stats(search->workers[i].vm)->instructions - search->workers[i].aside;
    if (level->is_shared)
        level->left = forecast_rest((double)level->states, level->before);
    remember(level);
}

size_t portfolio_chunks(const struct search_level *level, size_t states)
{
    size_t chunks = states / level->full;
    return states < level->states && chunks < level->n ? chunks : level->n;
}

/* Returns the work of expanding a state in which all threads can go on. */
static double most_of_one(const struct search_level *level, const struct dpor *dpor)
{
    double states = level->found * (double)dpor_threads(dpor) / (double)level->transitions;
    return work_of(level, dpor, fmax(states, 1)) - work_of(level, dpor, 0);
}

/* Gives the search by states grace, when the search by executions has found an error, perhaps
 * not the shortest.  The search by states has expanded that many states of the level; it goes
 * on until it has had the same time, or somewhat longer if that is very little. */
static void give_grace(struct search *search, size_t states)
{
    struct search_level *level = &search->level;
    double work = work_of(level, search->dpor, (double)states);
    double more = fmax(dpor_work(search->dpor) - work, fmin(GRACE * work, FIRST_WORK));
    size_t end = states + (size_t)(more / most_of_one(level, search->dpor));
    level->grace = end > level->states ? end - level->states : 0;
    atomic_store_explicit(&level->limit, portfolio_chunks(level, end), memory_order_relaxed);
}

/* Has a search little left to do, compared with what it has done? */
static bool is_near_end(double left, double work)
{
    return left <= work / NEAR_END;
}

/* Returns how much less executions seem to need than states, in steps of 4 times: 3 .. -3. */
static int favour_of(double need, const struct dpor *dpor)
{
    static const double much[] = {64, 16, 4};
    double other = dpor_need(dpor);
    for (int k = 0; other < HUGE_VAL && k < 3; k++)
        if (need / other >= much[k])
            return 3 - k;
        else if (other / need >= much[k])
            return k - 3;
    return 0;
}

/* Returns how much time the search by executions may have per time that the search by states
 * has had. */
static double share_of(double need, double work, const struct dpor *dpor)
{
    double even = dpor_has_values(dpor) ? WITH_VALUES : 1;
    int favour = favour_of(need, dpor);
    if (favour)
        return favour > 0 ? even * (1 + favour) : 1.0 / (1 - favour);
    if (is_near_end(need - work, work))
        return 1 - 1.0 / NEAR_END;
    return is_near_end(dpor_left(dpor), work) ? even * (1 + 1.0 / NEAR_END) : even;
}

static void go_on(struct search *search, double until)
{
    search->answer = dpor_run(search->dpor, until, &search->at_once);
    if (search->answer == DPOR_ERROR && search->options->all_errors)
        search->answer = DPOR_UNSUITED; /* it cannot go on after an error; states can */
    atomic_store_explicit(&search->shared, search->answer == DPOR_MORE, memory_order_relaxed);
    if (dpor_is_halted(search->dpor) && !search_is_halted(search))
        search_stop(search, STOP_LIMIT, spill_memory_limit(search->spill));
    if (dpor_broken(search->dpor))
        search_break(search, dpor_broken(search->dpor));
    else if (search->answer == DPOR_COMPLETE)
        search_stop(search, STOP_DPOR, CHECK_LIMIT_NONE);
}

/* Takes the turn before this chunk, or after all. */
static void take_turn(struct search *search, size_t chunk)
{
    struct search_level *level = &search->level;
    size_t states = chunk == level->n ? level->states : chunk * level->full;
    if (states > level->states)
        states = level->states; /* not all chunks are full */
    double work = work_of(level, search->dpor, (double)states);
    double need = work_of(level, search->dpor, level->left);
    double share = share_of(need, work, search->dpor);
    go_on(search, fmax(share * work, fmin(FIRST_PART * work, FIRST_WORK)));
    if (search->answer == DPOR_ERROR)
        give_grace(search, states);
}

void portfolio_alone(struct search *search)
{
    if (portfolio_has_turns(search))
        go_on(search, HUGE_VAL);
    if (search->answer == DPOR_MORE && checkpoint_stops(search))
        return;
    if (search->answer == DPOR_ERROR)
        search_stop(search, STOP_DPOR, CHECK_LIMIT_NONE);
    search_stop(search, STOP_LIMIT, CHECK_LIMIT_MEMORY);
}

enum check_search portfolio_favoured(const struct search *search)
{
    const struct search_level *level = &search->level;
    if (!portfolio_has_turns(search))
        return CHECK_AUTO;
    int favour = favour_of(work_of(level, search->dpor, level->left), search->dpor);
    return favour > 0 ? CHECK_DPOR : favour < 0 ? CHECK_BFS : CHECK_AUTO;
}

bool portfolio_has_turns(const struct search *search)
{
    return search->dpor && search->level.is_shared && search->answer == DPOR_MORE;
}

/* Takes the turns that are due.  The others may have taken some of the chunks before this one.
 * They may even have come to the limit of states: the turns that are due are taken all the
 * same, so that it doesn't depend on who is faster whether there is an answer. */
void portfolio_take(struct search *search, size_t turns)
{
    struct search_level *level = &search->level;
    while (portfolio_has_turns(search) && level->turns < turns)
        take_turn(search, level->turns++);
}
