/* minimise.c - see minimise.h.
 *
 * A plan is a list of blocks: so many turns of one thread.  A run by a plan takes the first
 * block whose thread can go on; where there is none left the running thread goes on, or else
 * the one with the smallest number, so that nothing is preempted but by the plan.
 *
 * Parts of the plan are left out (delta debugging: Zeller and Hildebrandt 2002), and blocks of
 * a thread are joined (Jalbert and Sen, "A trace simplification technique for effective
 * debugging of concurrent programs", FSE 2010), as long as the error stays and there are fewer
 * preemptions, or as many and fewer blocks.  Then runs with one preemption less at random
 * places are tried, and at last, as far as that goes, all that have fewer. */
#include "minimise.h"

#include <stdlib.h>
#include <string.h>

#include "bounded_runs.h"
#include "checker/array.h"
#include "checker/memory.h"

enum { MOST_RUNS = 6000, MOST_TRIES = 2000, MOST_BOUNDED = 100 * 1000 };
static const uint64_t MOST_STEPS = 3 * 1000 * 1000;

struct block {
    uint32_t number;
    size_t turns;
};

struct plan {
    struct block *at;
    size_t n, max;
};

struct minimiser {
    struct runner *runner;
    enum vm_fault_kind kind;
    struct plan plan;  /* of the best run */
    struct plan trial; /* is used up by a run */
    size_t next;       /* blocks before are used up */
    struct record best, now;
    uint32_t *owners; /* of the best run's values: numbers of threads */
    bool *taken;      /* they were in this run */
    size_t *at;       /* of a run with few preemptions: the steps before which they come */
    size_t few;
    unsigned runs;
    uint64_t steps; /* of the runner, when it began */
    uint64_t seed;
};

/* ---- plans ----------------------------------------------------------------------- */

static void add_block(struct plan *plan, struct block block)
{
    if (!block.turns)
        return;
    if (plan->n && plan->at[plan->n - 1].number == block.number)
        plan->at[plan->n - 1].turns += block.turns;
    else
        ARRAY_PUSH(plan->at, plan->n, plan->max, block);
}

static void plan_of(struct plan *plan, const struct record *record)
{
    plan->n = 0;
    for (size_t i = 0; i < record->nturns; i++)
        if (record->turns[i].number)
            add_block(plan, (struct block){record->turns[i].number, 1});
}

static int find(const struct vm_choice *choice, uint32_t number)
{
    for (int i = 0; i < choice->n; i++)
        if (choice->candidates[i].number == number)
            return i;
    return -1;
}

/* Chooses where the plan says nothing. */
static int go_on(const struct scheduling *s, const struct vm_choice *choice)
{
    int found = s->running_number ? find(choice, s->running_number) : -1;
    return found < 0 ? 0 : found;
}

static int pick_planned(struct scheduling *s, const struct vm_choice *choice)
{
    struct minimiser *m = s->plan;
    while (m->next < m->trial.n && !m->trial.at[m->next].turns)
        m->next++;
    for (size_t k = m->next; k < m->trial.n; k++) {
        struct block *block = &m->trial.at[k];
        int found = block->turns ? find(choice, block->number) : -1;
        if (found >= 0)
            return found;
    }
    return go_on(s, choice);
}

/* Uses up a turn, whether it was chosen or the only one. */
static void ran_planned(struct scheduling *s, uint32_t number)
{
    struct minimiser *m = s->plan;
    for (size_t k = m->next; number && k < m->trial.n; k++)
        if (m->trial.at[k].number == number && m->trial.at[k].turns) {
            m->trial.at[k].turns--;
            return;
        }
}

static const struct scheduler planned = {
    .name = "plan", .pick = pick_planned, .ran = ran_planned};

/* ---- few preemptions ------------------------------------------------------------- */

static int other(struct scheduling *s, const struct vm_choice *choice, int than)
{
    int found = (int)random_below(&s->random, (uint64_t)choice->n - (than >= 0));
    return than >= 0 && found >= than ? found + 1 : found;
}

static int pick_few(struct scheduling *s, const struct vm_choice *choice)
{
    struct minimiser *m = s->plan;
    int now = s->running_number ? find(choice, s->running_number) : -1;
    bool due = m->next < m->few && m->at[m->next] <= s->step;
    if (now >= 0 && !due)
        return now;
    m->next += now >= 0;
    return other(s, choice, now);
}

static const struct scheduler few = {.name = "few", .pick = pick_few};

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* ---- runs ------------------------------------------------------------------------ */

/* Returns the next value that the thread got in the best run. */
static int planned_value(void *context, struct scheduling *s, int n)
{
    struct minimiser *m = context;
    for (size_t k = 0; k < m->best.nvalues; k++) {
        if (m->taken[k] || m->owners[k] != s->running_number)
            continue;
        m->taken[k] = true;
        return m->best.values[k] < n ? m->best.values[k] : n - 1;
    }
    return (int)random_below(&s->random, (uint64_t)n);
}

static void note_owners(struct minimiser *m)
{
    const struct record *r = &m->best;
    free(m->owners);
    free(m->taken);
    m->owners = check_zeros(r->nvalues + 1, sizeof *m->owners);
    m->taken = check_zeros(r->nvalues + 1, sizeof *m->taken);
    for (size_t i = 0; i < r->nturns; i++) {
        size_t end = i + 1 < r->nturns ? r->turns[i + 1].first_value : r->nvalues;
        for (size_t k = r->turns[i].first_value; k < end; k++)
            m->owners[k] = r->turns[i].number;
    }
}

static size_t blocks_of(const struct record *record)
{
    size_t n = 0;
    for (size_t i = 0; i < record->nturns; i++)
        n += !i || record->turns[i].number != record->turns[i - 1].number;
    return n;
}

static bool is_better(const struct record *a, const struct record *b)
{
    size_t x = record_preemptions(a), y = record_preemptions(b);
    return x != y ? x < y : blocks_of(a) < blocks_of(b);
}

static bool has_budget(const struct minimiser *m)
{
    return m->runs < MOST_RUNS && m->runner->steps - m->steps < MOST_STEPS;
}

/* After a run: if it is better than the best one, it becomes that. */
static bool take_better(struct minimiser *m, enum run_end end)
{
    if (end != RUN_ERROR || vm_failure(m->runner->vm).kind != m->kind ||
        !is_better(&m->now, &m->best))
        return false;
    struct record was = m->best;
    m->best = m->now;
    m->now = was;
    plan_of(&m->plan, &m->best);
    note_owners(m);
    return true;
}

/* Makes a run; true if it is better than the best one, which it becomes. */
static bool try_run(struct minimiser *m, const struct scheduler *scheduler)
{
    m->next = 0;
    memset(m->taken, 0, m->best.nvalues * sizeof *m->taken);
    return take_better(m, runner_run(m->runner, scheduler, random_seeded(m->seed, m->runs++)));
}

/* ---- what is tried --------------------------------------------------------------- */

/* Tries the plan without the blocks [from, from + n). */
static bool leave_out(struct minimiser *m, size_t from, size_t n)
{
    m->trial.n = 0;
    for (size_t k = 0; k < m->plan.n; k++)
        if (k < from || k >= from + n)
            add_block(&m->trial, m->plan.at[k]);
    return try_run(m, &planned);
}

static size_t next_of_thread(const struct plan *plan, size_t k)
{
    size_t j = k + 1;
    while (j < plan->n && plan->at[j].number != plan->at[k].number)
        j++;
    return j;
}

/* Joins block k and the next one of its thread: at the place of the one or the other. */
static bool join_blocks(struct minimiser *m, size_t k, bool later)
{
    size_t j = next_of_thread(&m->plan, k);
    if (j == m->plan.n)
        return false;
    m->trial.n = 0;
    for (size_t i = 0; i < m->plan.n; i++) {
        struct block block = m->plan.at[i];
        if (i == (later ? j : k))
            block.turns = m->plan.at[k].turns + m->plan.at[j].turns;
        else if (i == k || i == j)
            block.turns = 0;
        add_block(&m->trial, block);
    }
    return try_run(m, &planned);
}

/* Leaves out parts of the plan, larger parts first. */
static bool shorten(struct minimiser *m)
{
    bool any = false;
    for (size_t n = m->plan.n / 2 + 1; n; n /= 2)
        for (size_t from = 0; from < m->plan.n && has_budget(m);)
            if (leave_out(m, from, n))
                any = true;
            else
                from += n;
    return any;
}

static bool join(struct minimiser *m)
{
    bool any = false;
    for (size_t k = 0; k < m->plan.n && has_budget(m);)
        if (join_blocks(m, k, false) || join_blocks(m, k, true))
            any = true;
        else
            k++;
    return any;
}

static bool take_fewer(struct minimiser *m)
{
    size_t now = record_preemptions(&m->best);
    struct random random = random_seeded(m->seed, ~(uint64_t)now);
    for (unsigned i = 0; now && i < MOST_TRIES && has_budget(m); i++) {
        m->few = random_below(&random, now);
        m->at = reallocarray(m->at, m->few + 1, sizeof *m->at);
        if (!m->at)
            vm_exhausted();
        for (size_t k = 0; k < m->few; k++)
            m->at[k] = random_below(&random, m->best.nturns + 1);
        qsort(m->at, m->few, sizeof *m->at, compare);
        if (try_run(m, &few))
            return true;
    }
    return false;
}

/* Makes all runs that have fewer preemptions than the best one, up to the first that is better,
 * which has the fewest then.  Returns whether no run has fewer than the best one. */
static bool exhaust(struct minimiser *m, struct bounded_runs *runs)
{
    bool all = true, better = false;
    unsigned left = MOST_BOUNDED;
    m->steps = m->runner->steps;
    size_t preemptions = record_preemptions(&m->best);
    for (size_t bound = 0; all && !better && bound < preemptions; bound++) {
        enum run_end end;
        bounded_runs_begin(runs, bound);
        while (all && !better && bounded_runs_next(runs, &end)) {
            bool known = end == RUN_FINAL || end == RUN_ERROR || end == RUN_DROPPED;
            all = known && !m->now.blind && left-- && m->runner->steps - m->steps < MOST_STEPS;
            better = all && take_better(m, end);
        }
    }
    return all;
}

/* Has the runs by plans choose values. */
static void follow_plans(struct minimiser *m)
{
    m->runner->value = planned_value;
    m->runner->value_context = m;
    m->runner->scheduling.plan = m;
}

static bool find_fewest(struct minimiser *m)
{
    size_t before = record_preemptions(&m->best);
    struct bounded_runs *runs = bounded_runs_new(m->runner);
    bool fewest = exhaust(m, runs);
    bounded_runs_free(runs);
    follow_plans(m);
    m->runs = 0;
    m->steps = m->runner->steps;
    while (record_preemptions(&m->best) < before && (shorten(m) || join(m)) && has_budget(m))
        ;
    return fewest;
}

bool minimise(struct runner *runner, struct record *record, uint64_t seed)
{
    struct minimiser m = {.runner = runner,
                          .kind = vm_failure(runner->vm).kind,
                          .best = *record,
                          .steps = runner->steps,
                          .seed = ~seed};
    if (record->blind || !record->nturns)
        return false;
    plan_of(&m.plan, &m.best);
    note_owners(&m);
    runner->record = &m.now;
    follow_plans(&m);
    do {
        while ((shorten(&m) || join(&m)) && has_budget(&m))
            ;
    } while (has_budget(&m) && take_fewer(&m));
    bool fewest = find_fewest(&m);
    *record = m.best;
    runner->record = NULL;
    runner->value = NULL;
    record_fini(&m.now);
    free(m.plan.at);
    free(m.trial.at);
    free(m.owners);
    free(m.taken);
    free(m.at);
    return fewest;
}
