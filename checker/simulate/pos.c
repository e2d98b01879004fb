/* pos.c - partial order sampling (Yuan, Yang and Gu, "Partial Order Aware Concurrency
 * Sampling", CAV 2018).
 *
 * Each action that a thread stands before has a random priority, and the highest is done. After
 * it, the actions of others that conflict with it get new priorities, and so does the next one
 * of the thread.  Orders of independent actions do not matter, so a priority stays where
 * nothing depends on it: partial orders are sampled more evenly than by a random walk. */
#include "scheduler.h"

static uint64_t draw(struct scheduling *s)
{
    return random_next(&s->random) | 1;
}

static void draw_again(struct scheduling *s, const struct vm_choice *choice, int done)
{
    const struct vm_coming *coming = scheduling_coming(s, &choice->candidates[done]);
    for (int i = 0; i < choice->n; i++)
        if (i != done &&
            scheduling_conflict(coming, scheduling_coming(s, &choice->candidates[i])))
            scheduling_thread(s, &choice->candidates[i])->priority = draw(s);
}

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    int found = 0;
    uint64_t most = 0;
    for (int i = 0; i < choice->n; i++) {
        struct sim_thread *thread = scheduling_thread(s, &choice->candidates[i]);
        if (!thread->priority) /* another action than before */
            thread->priority = draw(s);
        if (thread->priority > most) {
            most = thread->priority;
            found = i;
        }
    }
    draw_again(s, choice, found);
    return found;
}

static void ran(struct scheduling *s, uint32_t number)
{
    if (number < s->nthreads)
        s->threads[number].priority = 0;
}

const struct scheduler scheduler_pos = {.name = "pos", .pick = pick, .ran = ran};
