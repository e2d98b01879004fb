/* stuck.c - threads that can never go on, while others do.
 *
 * A thread that waits for what only another can give back is stuck if that one has ended or
 * is stuck.  It gets there by stopping at something that is held, by being woken to wait for a
 * lock from then on, or by the end of the other: so this is looked for then, and whatever comes
 * last of these finds it.  It is an error if the process cannot finish: its main thread
 * is stuck, or has ended.  What other processes hold is not followed.  Nothing is said where
 * threads can be interrupted, since a handler may do anything, and a signal end a process. */
#include "os/stuck.h"
#include "os/commute.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/state.h"
#include "os/wait.h"

/* The threads of the kernel's array, with what is known of each. */
struct knowledge {
    const struct os_state *state;
    const struct os_process *process;
    bool *stuck;
    bool *unsure; /* which join it waits in would tell */
};

static bool is_stuck(const struct knowledge *knowledge, const struct os_thread *thread)
{
    for (int k = 0; k < knowledge->state->count; k++)
        if (knowledge->state->thread[k] == thread)
            return knowledge->stuck[k];
    return false;
}

/* Does the thread wait for a word that has not the right value, and not to be woken? */
OS_INLINE bool is_waiting(const struct os_thread *thread)
{
    return thread->word && !thread->queue && thread->running && !os_is_gone(thread->word) &&
           !os_ready(thread);
}

OS_INLINE const struct os_lock *waited_lock(const struct os_thread *thread)
{
    return (const void *)((const char *)thread->word - offsetof(struct os_lock, word));
}

static bool has_ended(const struct os_thread *thread)
{
    return !os_is_thread(thread) || !thread->running;
}

/* Has a lock for reading a holder that is stuck, or has ended?  Copies of a lock in several
 * processes can't be told apart. */
static bool has_lost_reader(const struct knowledge *knowledge, const struct os_lock *lock)
{
    int known = 0;
    for (int k = 0; k < knowledge->state->count; k++) {
        const void *const *reading = knowledge->state->thread[k]->reading;
        size_t count = reading ? __divm_obj_size(reading) / sizeof *reading : 0;
        for (size_t i = 0; i < count; i++)
            if (reading[i] == lock) {
                known++;
                if (knowledge->stuck[k])
                    return true;
            }
    }
    return !knowledge->state->processes && known < lock->word;
}

/* Is a thread stuck that this one has a deferred join of?  If some are stuck and others are
 * not, it depends on whose end the thread really waits for first. */
static bool joins_in_vain(const struct knowledge *knowledge, const struct os_thread *thread)
{
    const struct os_thread *joined;
    int stuck = 0, count = 0;
    for (; (joined = os_joined(thread, count)); count++)
        stuck += is_stuck(knowledge, joined);
    *knowledge->unsure |= stuck && stuck < count;
    return stuck;
}

/* Does this thread, which is not ready, wait for one that will never do what it waits for? */
static bool waits_in_vain(const struct knowledge *knowledge, const struct os_thread *thread)
{
    if (thread->wait & OS_LOCK) {
        const struct os_lock *lock = waited_lock(thread);
        const struct os_thread *owner = lock->owner;
        return owner ? has_ended(owner) || is_stuck(knowledge, owner)
                     : has_lost_reader(knowledge, lock);
    }
    if (thread->wait & OS_HOLDER) {
        const struct os_thread *holder = os_holder(thread->word, thread);
        return !holder || !holder->running || is_stuck(knowledge, holder);
    }
    return thread->wait >> OS_ACTION == VM_ACT_JOIN && joins_in_vain(knowledge, thread);
}

/* Finds the stuck threads: all that may be are taken to be, until no more turn out not to be.
 * Returns how many are left. */
static int find(const struct knowledge *knowledge)
{
    const struct os_state *state = knowledge->state;
    int left = 0, before;
    for (int k = 0; k < state->count; k++)
        left += knowledge->stuck[k] =
            os_process(state->thread[k]) == knowledge->process && is_waiting(state->thread[k]);
    do {
        before = left;
        for (int k = 0; k < state->count; k++)
            if (knowledge->stuck[k] && !waits_in_vain(knowledge, state->thread[k])) {
                knowledge->stuck[k] = false;
                left--;
            }
    } while (left < before);
    return left;
}

/* The thread whose return ends the process; NULL if it has ended. */
static const struct os_thread *main_thread(const struct os_state *state,
                                           const struct os_process *process)
{
    const struct os_thread *first = process ? process->first : state->thread[0];
    return first->running && (process || first->tid == 1) ? first : NULL;
}

static void check(void)
{
    const struct os_state *state = os_state();
    size_t count = (size_t)state->count;
    bool unsure = false;
    struct knowledge knowledge = {state, os_process(os_self()), __builtin_alloca(count),
                                  &unsure};
    int stuck = find(&knowledge);
    if (!stuck || stuck == state->live) /* nobody goes on: told when they have stopped */
        return;
    const struct os_thread *first = main_thread(state, knowledge.process);
    if (first && !is_stuck(&knowledge, first))
        return;
    if (unsure)
        os_ask_order();
    char message[80], *end = os_put_number(message, (unsigned long)stuck);
    end = os_put_number(os_put(end, " of "), (unsigned long)state->live);
    os_be_late_no_more(); /* this is told now */
    end = os_put(end,
                 stuck == 1 ? " threads is blocked forever" : " threads are blocked forever");
    os_put(end, first ? ", the main thread too" : ", and the main thread has ended");
    __os_error(VM_FAULT_DEADLOCK, message);
}

/* Returns the thread whose act this thread waits for; NULL if it is not known, or there is no
 * such thread. */
static const struct os_thread *awaited(const struct os_thread *thread)
{
    const struct os_thread *other = NULL;
    if (thread->wait & OS_LOCK)
        other = waited_lock(thread)->owner;
    else if (thread->wait >> OS_ACTION == VM_ACT_JOIN && !os_joined(thread, 1))
        other = os_joined(thread, 0);
    return other && os_is_thread(other) ? other : NULL;
}

/* Follows a thread that waits for another, and so on; false if that comes to one that goes
 * on. */
static bool may_be_stuck(const struct os_thread *thread)
{
    for (int k = 0; thread && k < os_state()->count; k++) {
        if (!is_waiting(thread))
            return !thread->running;
        thread = awaited(thread);
    }
    return true;
}

/* Checks a thread that now waits.  Nothing is new unless this thread is stuck itself. */
void os_check_stuck(const struct os_thread *thread)
{
    if (!os_interruptible && may_be_stuck(thread))
        check();
}

/* May a lock be left behind that the thread waits for, itself or by joining others?  Circles of
 * joins were found before. */
static bool may_be_left(const struct os_thread *thread)
{
    if (thread->wait >> OS_ACTION != VM_ACT_JOIN)
        return thread->wait & (OS_LOCK | OS_HOLDER) && may_be_stuck(thread);
    const struct os_thread *joined;
    for (int k = 0; (joined = os_joined(thread, k)); k++)
        if (may_be_left(joined))
            return true;
    return false;
}

/* Checks when a thread has ended: it may have left a lock behind, or it was the main thread
 * itself. */
void os_check_left(void)
{
    const struct os_state *state = os_state();
    const struct os_thread *first = state->thread[0];
    if (os_interruptible)
        return;
    if (!first->running || first->tid != 1 || state->processes || may_be_left(first))
        check();
}
