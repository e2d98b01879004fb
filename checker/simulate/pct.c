/* pct.c - probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi and Nagarakatte, "A
 * Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010).
 *
 * Each thread has a random priority, and of those that can go on the one with the highest runs.
 * Before d-1 steps that are drawn from all k, the thread that is about to run gets a priority
 * below all, the later the lower.  With n threads, an error that depends on the order of d
 * actions is found with a probability of at least 1/(n k^(d-1)).
 *
 * k is what the first runs had at most (profile.h).  A thread that has had MOST_TURNS turns in
 * a row while others could go on gets a low priority, too: it waits in a loop for what the
 * others do. The paper leaves such loops to the program's calls of yield and sleep. */
#include "scheduler.h"

#include <stdlib.h>

#include "checker/array.h"

enum { MOST_TURNS = 1000 };
static const uint64_t HIGH = (uint64_t)1 << 63;

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void begin(struct scheduling *s)
{
    uint64_t steps = s->profile->steps ? s->profile->steps : 1;
    for (unsigned i = 1; i < s->pct_depth; i++)
        ARRAY_PUSH(s->changes, s->nchanges, s->max_changes, random_below(&s->random, steps));
    if (s->nchanges)
        qsort(s->changes, s->nchanges, sizeof *s->changes, compare);
}

static void meet(struct scheduling *s, struct sim_thread *thread)
{
    thread->priority = HIGH | random_next(&s->random);
}

/* Gives a thread a priority below all, and below those that were lowered before. */
static void lower(const struct scheduling *s, struct sim_thread *thread)
{
    thread->priority = HIGH - 1 - s->step;
}

static int best(const struct scheduling *s, const struct vm_choice *choice)
{
    int found = 0;
    uint64_t most = 0;
    for (int i = 0; i < choice->n; i++) {
        uint64_t priority = scheduling_thread(s, &choice->candidates[i])->priority;
        if (priority > most) {
            most = priority;
            found = i;
        }
    }
    return found;
}

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    int found = best(s, choice);
    while (s->passed < s->nchanges && s->changes[s->passed] <= s->step) {
        s->passed++;
        lower(s, scheduling_thread(s, &choice->candidates[found]));
        found = best(s, choice);
    }
    if (s->turns >= MOST_TURNS && choice->candidates[found].thread == s->running) {
        lower(s, scheduling_thread(s, &choice->candidates[found]));
        found = best(s, choice);
    }
    return found;
}

/* Counts a step at which nobody else could go on. */
static void ran(struct scheduling *s, uint32_t number)
{
    while (s->passed < s->nchanges && s->changes[s->passed] <= s->step) {
        s->passed++;
        if (number < s->nthreads)
            lower(s, &s->threads[number]);
    }
}

const struct scheduler scheduler_pct = {
    .name = "pct", .profiles = true, .begin = begin, .meet = meet, .pick = pick, .ran = ran};
