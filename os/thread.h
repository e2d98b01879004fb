/* thread.h - how a thread ends and is freed.  Half of all that short threads do is this,
 * so it is inlined: a call has a frame to make and to free. */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include "os/os.h"

/* thread.c: its number stays taken as long as its process is there. */
bool os_is_first(const struct os_thread *thread);

/* Of the threads' array. */
OS_INLINE void os_thread_remove(struct os_state *state, const struct os_thread *thread)
{
    struct os_thread **at = state->thread;
    size_t rest = (size_t)state->count - 1;
    state->count = (int)rest;
    size_t size = sizeof *state + sizeof thread * rest;
    while (*at != thread) {
        at++;
        rest--;
    }
    __builtin_memmove(at, at + 1, rest * sizeof *at);
    __divm_obj_resize(state, size);
}

/* Frees a finished thread.  In the kernel. */
OS_INLINE void os_thread_free(struct os_thread *thread)
{
    struct os_state *state = os_state();
    os_quiet();
    if (state->processes && os_is_first(thread)) {
        os_loud();
        thread->detached = 1;
        return;
    }
    os_thread_remove(state, thread);
    os_loud();
    __divm_obj_free(thread);
}

OS_INLINE void os_free_field(void **field)
{
    if (*field) {
        __divm_obj_free(*field);
        *field = NULL;
    }
}

/* It waits for nothing, or what it waits for has come. */
OS_INLINE bool os_goes_on(const struct os_thread *thread)
{
    if (!thread->wait)
        return true;
    const int *word = thread->word;
    return word && !os_is_gone(word) && os_word_ready(word, thread->wait);
}

/* The main thread goes on, or waits for one that does: nothing is left behind that it waits
 * for. */
OS_INLINE bool os_main_goes_on(const struct os_state *state)
{
    const struct os_thread *first = state->thread[0], *thread = first;
    if (thread->wait >> OS_ACTION == VM_ACT_JOIN)
        thread = os_joined(thread);
    return os_goes_on(thread) && first->running && first->tid == 1 && !state->processes;
}

/* Ends the calling thread, from user mode.  Returns, in user mode, only if no
 * other thread is left: then the caller ends the process. */
OS_INLINE void os_thread_end(void *result)
{
    struct os_thread *self = os_enter();
    struct os_state *state = os_state();
    os_act(VM_ACT_EXIT | os_weak, self, sizeof *self);
    os_quiet(); /* nobody else looks at this; whoever is the last ends the process */
    int *live = state->processes ? &os_process(self)->live : &state->live;
    if (*live == 1) {
        os_leave();
        return;
    }
    if (state->processes)
        --*live;
    state->live--;
    os_loud();
    self->running = 0;
    os_quiet(); /* nobody else looks at the rest */
    if (!os_main_goes_on(state))
        os_check_left();
    os_free_field(&self->tls);
    os_free_field(&self->reading);
    if (self->more) {
        os_thread_free_more(self);
        self->more = NULL;
    }
    os_loud();
    if (self->detached && !(state->processes && os_is_first(self))) {
        os_thread_free(self);
        os_stop(0);
    }
    if (result)
        __divm_obj_shared(result);
    self->result = result;
    os_quiet();
    self->frame = NULL;
    self->word = &self->running; /* never ready again */
    self->wait = 0;
    struct os_thread *joiner = self->joiner;
    if (joiner && joiner->word) /* not in a signal handler */
        os_hurry(joiner);
    os_stop(0);
}

#endif
