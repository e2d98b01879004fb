/* thread_end.h - the ends of threads: ending, freeing, and joining before the end.
 *
 * Half of all that short threads do is this, so it is inlined: a call has a frame to make and
 * to free.  Each function says whether it runs in the kernel or in user mode. */
#ifndef OS_THREAD_END_H
#define OS_THREAD_END_H

#include "os/commute.h"
#include "os/mode.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/wait.h"

/* thread.c: is it the first thread of its process?  Its number stays taken as long as the
 * process is there. */
bool os_is_first(const struct os_thread *thread);

/* Removes a thread from the kernel's array of threads. */
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
    os_commutes_begin();
    if (state->processes && os_is_first(thread)) {
        os_commutes_end();
        os_be_told(thread);
        thread->detached = 1;
        return;
    }
    os_thread_remove(state, thread);
    os_commutes_end();
    __divm_obj_free(thread, VM_OBJ_KERNEL);
}

/* thread.c, for a thread that ends, in a commuting section.  os_free_thread_locals: the
 * program's own thread-local variables go; the libraries' are a part of what self->tls is.
 * os_thread_drop: so does what few threads have.  os_process_leave: true if it is the last of
 * its process; else it leaves that. */
void os_free_thread_locals(struct os_thread *self);
void os_thread_drop(struct os_thread *self);
bool os_process_leave(const struct os_thread *self);

/* In the kernel: lets the calling thread join this one and go on.  What others could see or
 * show of that comes after the end (os_await_joined).  What it does until then is its own
 * affair, so that searches need not have it wait for each of its threads in turn.  False if it
 * has to wait. */
bool os_may_defer(void);
OS_INLINE bool os_join_deferred(struct os_thread *thread, struct os_thread *self)
{
    if (!self->deferred && !os_may_defer())
        return false;
    thread->joiner = self;
    thread->result = NULL;
    self->deferred++;
    self->joining += thread->running;
    self->word = &self->joining;
    self->wait = OS_WHILE_NONZERO | VM_ACT_JOIN << OS_ACTION;
    if (thread->word && thread->running)
        os_check_stuck(os_self());
    return true;
}

/* Returns the action of a thread's end, which commutes with what others do, unless they can
 * tell that it has come, or interrupt the thread before it ends. */
OS_INLINE int os_exit_action(void)
{
    return VM_ACT_EXIT | (os_sees_ends || os_interruptible ? 0 : VM_ACT_CONDITIONAL);
}

/* Ends the calling thread, from user mode.  Returns, in user mode, only if no
 * other thread is left: then the caller ends the process. */
OS_INLINE void os_thread_end(void *result)
{
    struct os_thread *self = os_enter();
    struct os_state *state = os_state();
    os_act(os_exit_action(), self, sizeof *self);
    os_commutes_begin(); /* nobody else looks at this; whoever is the last ends the process */
    if (state->processes ? os_process_leave(self) : state->live == 1) {
        os_leave();
        return;
    }
    state->live--;
    os_commutes_end();
    self->running = 0;
    os_commutes_begin(); /* whoever goes by the rest has looked at that */
    if (self->holds || self->reading || self->more || self == state->thread[0])
        os_thread_drop(self);
    if (__divm_control(VM_REG_TLS, VM_GET, 0)) {
        if (state->options & VM_BOOT_THREAD_LOCALS)
            os_free_thread_locals(self);
        __divm_obj_free(self->tls, VM_OBJ_KERNEL);
        self->tls = NULL;
    }
    if (self->detached && !(state->processes && os_is_first(self))) {
        os_thread_free(self);
        os_stop(0);
    }
    struct os_thread *joiner = self->joiner;
    bool deferred = joiner && joiner->deferred; /* then nobody asks for the result */
    if (!deferred) { /* it may be undefined, or 0, as there is: then this changes nothing */
        __divm_obj_shared(result);
        self->result = result;
    }
    os_pass_on(self); /* to who joins it, by freeing it */
    self->frame = NULL;
    self->word = &self->running; /* never ready again */
    self->wait = 0;
    if (deferred ? !--joiner->joining : joiner && joiner->word == &self->running)
        os_run_eagerly(joiner); /* not in a signal handler */
    os_stop(0);
}

#endif
