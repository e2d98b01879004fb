/* surw.c - the orders of the accesses to one object with about the same probability.
 *
 * The selectively uniform random walk of Zhao, Wolff, Mathur and Roychoudhury (ASPLOS 2025).
 * From the paper: some actions are of interest; which thread does the next of them is drawn by
 * the numbers of such actions that threads have left, their future children's included; a
 * thread that comes to such an action while another one is to do it is held back; among those
 * that are not held, a thread is chosen uniformly.  So all orders remain possible. Of our own:
 * the actions of interest are, in each run, those on one object, drawn from those that two
 * threads or more were seen to act on in the first runs (profile.h), or all actions if there is
 * none; and if only held threads can go on, they are let go and the draw is made again. */
#include "weights.h"

static void begin(struct scheduling *s)
{
    s->object = profile_draw(s->profile, &s->random);
}

static bool is_of_interest(const struct scheduling *s, const struct vm_candidate *candidate)
{
    struct vm_coming object = s->object;
    object.write = true;
    return !object.size || scheduling_conflict(scheduling_coming(s, candidate), &object);
}

static void let_go(struct scheduling *s, const struct vm_choice *choice)
{
    for (int i = 0; i < choice->n; i++)
        scheduling_thread(s, &choice->candidates[i])->held = false;
    s->intended = 0;
}

/* Returns a candidate that is not held; -1 if all are. */
static int any(struct scheduling *s, const struct vm_choice *choice)
{
    uint64_t n = 0;
    for (int i = 0; i < choice->n; i++)
        n += !scheduling_thread(s, &choice->candidates[i])->held;
    uint64_t at = n ? random_below(&s->random, n) : 0;
    for (int i = 0; n && i < choice->n; i++)
        if (!scheduling_thread(s, &choice->candidates[i])->held && at-- == 0)
            return i;
    return -1;
}

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    for (;;) {
        int i = any(s, choice);
        if (i < 0) {
            let_go(s, choice);
            continue;
        }
        const struct vm_candidate *candidate = &choice->candidates[i];
        struct sim_thread *thread = scheduling_thread(s, candidate);
        if (!is_of_interest(s, candidate))
            return i;
        if (!s->intended)
            s->intended = choice->candidates[weights_draw(s, choice)].number;
        if (s->intended == thread->number) {
            thread->left -= thread->left > 0;
            let_go(s, choice);
            return i;
        }
        thread->held = true;
    }
}

const struct scheduler scheduler_surw = {
    .name = "surw", .profiles = true, .begin = begin, .meet = weights_meet, .pick = pick};
