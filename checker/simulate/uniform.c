/* uniform.c - every order of visible actions with about the same probability.
 *
 * The uniform random walk of Zhao, Wolff, Mathur and Roychoudhury ("Selectively Uniform
 * Concurrency Testing", ASPLOS 2025): a thread is chosen with a probability proportional to the
 * number of actions that it has left, those of the threads that it will make included.  With
 * right numbers, and where no thread waits for another, all orders are equally likely.  The
 * numbers are means of the first runs (profile.h), so they are estimates. */
#include "weights.h"

void weights_meet(struct scheduling *s, struct sim_thread *thread)
{
    uint32_t own = profile_actions(s->profile, &s->object, thread->number);
    struct sim_thread *parent =
        thread->parent < s->nthreads ? &s->threads[thread->parent] : NULL;
    thread->left = own;
    if (parent && parent != thread && parent->thread)
        parent->left -= parent->left < own ? parent->left : own;
    /* Decides which of the parent and its children does the next action. */
    if (parent && s->intended && s->intended == thread->parent &&
        random_below(&s->random, (uint64_t)own + parent->left + 1) < own)
        s->intended = thread->number;
}

/* Returns a thread's weight: at least 1, since the estimate may be too low. */
static uint64_t weight(const struct sim_thread *thread)
{
    return thread->held ? 0 : thread->left ? thread->left : 1;
}

int weights_draw(struct scheduling *s, const struct vm_choice *choice)
{
    uint64_t sum = 0;
    for (int i = 0; i < choice->n; i++)
        sum += weight(scheduling_thread(s, &choice->candidates[i]));
    uint64_t at = random_below(&s->random, sum);
    for (int i = 0; i < choice->n; i++) {
        uint64_t own = weight(scheduling_thread(s, &choice->candidates[i]));
        if (at < own)
            return i;
        at -= own;
    }
    return 0;
}

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    return weights_draw(s, choice);
}

static void ran(struct scheduling *s, uint32_t number)
{
    if (number < s->nthreads && s->threads[number].left)
        s->threads[number].left--;
}

const struct scheduler scheduler_uniform = {
    .name = "uniform", .profiles = true, .meet = weights_meet, .pick = pick, .ran = ran};
