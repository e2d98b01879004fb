/* random_walk.c - each thread that can go on is chosen with the same probability, before each
 * visible action.  An order in which one thread waits for long while others act is rare: it has
 * the probability 1/2 for each of their actions. */
#include "scheduler.h"

static int pick(struct scheduling *s, const struct vm_choice *choice)
{
    return (int)random_below(&s->random, (uint64_t)choice->n);
}

const struct scheduler scheduler_random_walk = {.name = "random-walk", .pick = pick};
