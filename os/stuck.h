/* stuck.h - waiting for one another, and threads that can never go on.  In the kernel, all of
 * it; nothing is owned. */
#ifndef OS_STUCK_H
#define OS_STUCK_H

#include "os/state.h"

/* In the kernel, in a commuting section: an error if threads can never go on, and with them the
 * process.  To be called when this thread is to wait for what others hold, also if it was
 * waiting for something else, and when one ends that holds something or is the main thread
 * (os/stuck.c). */
void os_check_stuck(const struct os_thread *thread);
void os_check_left(void);
/* Returns the k-th of the threads that this one waits to join; NULL if there are not so
 * many. */
OS_INLINE const struct os_thread *os_joined(const struct os_thread *thread, int k)
{
    const struct os_state *state = os_state();
    for (int i = 0; i < state->count; i++)
        if (state->thread[i]->joiner == thread && state->thread[i]->running && k-- == 0)
            return state->thread[i];
    return NULL;
}

/* Returns the thread that holds the lock which this word of the asking thread's process belongs
 * to (OS_HOLDER), or NULL. */
const struct os_thread *os_holder(const int *word, const struct os_thread *asking);

#endif
