/* queue.c - threads that wait for other threads to wake them.
 *
 * A queue is no list of its own: the threads say what they are queued on, and
 * who wakes one looks through them.  So the order in which they came, of which
 * POSIX promises nothing, is no part of a state.  What such a look depends on is said by
 * the queue's own accesses (os_queue_is_read): threads that come and go matter only if
 * they are queued there. */
#include "os/queue.h"
#include "os/commute.h"
#include "os/process.h"
#include "os/state.h"
#include "os/wait.h"

OS_INLINE bool is_queued(const struct os_thread *thread, const void *queue)
{
    return thread->queue == queue || os_held_on(thread, queue);
}

/* Is the thread queued here?  Where there are processes, others may have a queue at the same
 * address. */
static bool is_here(const struct os_thread *thread, const void *queue)
{
    return is_queued(thread, queue) && os_is_same_place(queue, thread, os_self());
}

static struct os_thread *queued_here(const struct os_state *state, const void *queue, int k)
{
    for (int i = 0; i < state->count; i++)
        if (is_here(state->thread[i], queue) && k-- == 0)
            return state->thread[i];
    return NULL;
}

static int count(const struct os_state *state, const void *queue)
{
    int length = 0;
    for (int k = 0; k < state->count; k++)
        length += is_queued(state->thread[k], queue);
    for (int k = 0; state->processes && k < state->count; k++)
        length -= is_queued(state->thread[k], queue) && !is_here(state->thread[k], queue);
    return length;
}

int os_queue_length(const void *queue)
{
    os_queue_is_read(queue);
    os_commutes_begin();
    int length = count(os_state(), queue);
    os_commutes_end();
    return length;
}

static struct os_thread *queued(const struct os_state *state, const void *queue, int k)
{
    if (state->processes)
        return queued_here(state, queue, k);
    for (int i = 0; i < state->count; i++)
        if (is_queued(state->thread[i], queue) && k-- == 0)
            return state->thread[i];
    return NULL;
}

struct os_thread *os_queued(const void *queue, int k)
{
    os_queue_is_read(queue);
    os_commutes_begin();
    struct os_thread *found = queued(os_state(), queue, k);
    os_commutes_end();
    return found;
}

void os_wake(struct os_thread *thread, const void *queue)
{
    bool interrupted = os_held_on(thread, queue);
    os_dequeue(thread, queue, NULL, OS_ALWAYS);
    if (!interrupted)
        os_run_eagerly(thread);
}

int os_blocked_on(const int *word)
{
    const struct os_state *state = os_state();
    os_opaque();
    int blocked = 0;
    for (int k = 0; k < state->count; k++)
        blocked += state->thread[k]->word == word &&
                   os_is_same_place(word, state->thread[k], os_self()) &&
                   !os_ready(state->thread[k]);
    return blocked;
}
