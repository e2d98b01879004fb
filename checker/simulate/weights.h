/* weights.h - random walks in which a thread's probability is proportional to the number of its
 * actions that are left. */
#ifndef CHECKER_WEIGHTS_H
#define CHECKER_WEIGHTS_H

#include "scheduler.h"

/* Gives a new thread as many actions as the profile says, which its parent has no more. */
void weights_meet(struct scheduling *s, struct sim_thread *thread);
/* Draws one of the candidates that are not held. */
int weights_draw(struct scheduling *s, const struct vm_choice *choice);

#endif
