/* weights.h - random walks in which a thread is as likely as it has many actions left. */
#ifndef CHECKER_WEIGHTS_H
#define CHECKER_WEIGHTS_H

#include "scheduler.h"

/* A new thread has as many actions left as the profile says, which its parent has no more. */
void weights_meet(struct scheduling *s, struct sim_thread *thread);
/* One of the candidates that are not held. */
int weights_draw(struct scheduling *s, const struct vm_choice *choice);

#endif
