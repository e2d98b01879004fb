/* bounded_runs.c - see bounded_runs.h.
 *
 * A run is told by what it took at each choice.  The next run takes the same up to the last
 * choice that has something left, and the first of all that comes after: the thread that ran
 * goes on, where it can. */
#include "bounded_runs.h"

#include <stdlib.h>

#include "checker/array.h"
#include "checker/memory.h"

/* A choice of a run.  What comes first, at rank 0, is the candidate `first`; then the others in
 * their order. */
struct decision {
    int rank, n, first;
    bool preempts; /* all but the first one do */
    size_t before; /* preemptions before it */
};

struct bounded_runs {
    struct runner *runner;
    struct decision *at;
    size_t n, max;
    size_t met; /* of them in the present run */
    size_t bound;
    bool done;
};

static size_t preemptions_after(const struct decision *d)
{
    return d->before + (d->preempts && d->rank);
}

static int taken(const struct decision *d)
{
    if (!d->rank)
        return d->first;
    return d->rank - 1 < d->first ? d->rank - 1 : d->rank;
}

/* Takes what is planned, or the first. */
static int decide(struct bounded_runs *runs, int n, int first, bool preempts)
{
    if (runs->met == runs->n) {
        size_t before = runs->n ? preemptions_after(&runs->at[runs->n - 1]) : 0;
        struct decision d = {.n = n, .first = first, .preempts = preempts, .before = before};
        ARRAY_PUSH(runs->at, runs->n, runs->max, d);
    }
    return taken(&runs->at[runs->met++]);
}

static int pick_bounded(struct scheduling *s, const struct vm_choice *choice)
{
    int running = scheduling_running(s, choice);
    return decide(s->plan, choice->n, running < 0 ? 0 : running, running >= 0);
}

static int value_bounded(void *context, struct scheduling *s, int n)
{
    (void)s;
    return decide(context, n, 0, false);
}

static const struct scheduler bounded = {.name = "bounded", .pick = pick_bounded};

struct bounded_runs *bounded_runs_new(struct runner *runner)
{
    struct bounded_runs *runs = check_zeros(1, sizeof *runs);
    runs->runner = runner;
    runner->scheduling.plan = runs;
    runner->value = value_bounded;
    runner->value_context = runs;
    return runs;
}

void bounded_runs_free(struct bounded_runs *runs)
{
    runs->runner->scheduling.plan = NULL;
    runs->runner->value = NULL;
    free(runs->at);
    free(runs);
}

void bounded_runs_begin(struct bounded_runs *runs, size_t preemptions)
{
    runs->n = 0;
    runs->bound = preemptions;
    runs->done = false;
}

/* Plans the next run. */
static void advance(struct bounded_runs *runs)
{
    while (runs->n) {
        struct decision *d = &runs->at[runs->n - 1];
        if (d->rank + 1 < d->n && d->before + d->preempts <= runs->bound) {
            d->rank++;
            return;
        }
        runs->n--;
    }
    runs->done = true;
}

bool bounded_runs_next(struct bounded_runs *runs, enum run_end *end)
{
    if (runs->done)
        return false;
    runs->met = 0;
    *end = runner_run(runs->runner, &bounded, random_seeded(0, 0));
    runs->n = runs->met;
    advance(runs);
    return true;
}
