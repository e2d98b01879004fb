/* stuck.c - threads that wait for each other in a circle, while others go on.
 *
 * A circle is closed by a thread that stops at a lock that is held, or at a join: so it
 * is looked for there.  It is an error once the main thread is in it, or waits for one
 * that is: then the process cannot finish. */
#include "os/os.h"

/* Who must do something first, if `thread` waits for just that; else NULL. */
static const struct os_thread *awaited(const struct os_thread *thread)
{
    const char *word = (const char *)thread->word;
    if (!word || thread->queue || thread->wait & (OS_BY_CANCEL | OS_BY_SIGNAL) ||
        os_is_gone(word) || os_ready(thread))
        return NULL;
    const struct os_thread *holder = NULL;
    if (thread->wait >> OS_ACTION == VM_ACT_JOIN)
        holder = (const void *)(word - offsetof(struct os_thread, running));
    else if (thread->wait & OS_LOCK)
        holder = ((const struct os_lock *)(const void *)(word - offsetof(struct os_lock, word)))
                     ->owner;
    return holder && os_is_thread(holder) && holder->running ? holder : NULL;
}

/* Does this thread wait in a circle, or for one that does? */
static bool is_stuck(const struct os_thread *thread, const struct os_thread *self,
                     const struct os_thread *holder)
{
    int steps = 0;
    for (; thread && steps <= os_state()->count; steps++)
        thread = thread == self ? holder : awaited(thread);
    return thread;
}

static _Noreturn void tell(const struct os_state *state, int stuck)
{
    char message[80], *end = os_put_number(message, (unsigned long)stuck);
    end = os_put_number(os_put(end, " of "), (unsigned long)state->live);
    os_put(end, " threads wait for each other for ever, the main thread too");
    __os_error(VM_FAULT_DEADLOCK, message);
}

void os_check_stuck(const struct os_thread *waiting, const int *word, uint32_t wait)
{
    const struct os_state *state = os_state();
    struct os_thread *self = os_self();
    int stuck = 0;
    os_quiet(); /* whoever closes the circle finds it: the order of the others is the same */
    if (state->processes || !is_stuck(waiting, self, waiting) ||
        !is_stuck(state->thread[0], self, waiting))
        return;
    for (int k = 0; k < state->count; k++)
        stuck += is_stuck(state->thread[k], self, waiting);
    if (stuck == state->live)
        return; /* nobody goes on: told when they have stopped */
    self->word = word;
    self->wait = wait;
    tell(state, stuck);
}
