/* scheduler.c - chooses which thread runs next, at the start of every transition.  The threads
 * that are ready are the alternatives of one choice; nothing else of a schedule is decided
 * here.  This runs once per transition, so that it writes nothing that outlives it. */
#include "os/scheduler.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"

_Static_assert(
    offsetof(struct os_thread, frame) == offsetof(struct vm_trace_run, saved.frame) &&
        offsetof(struct os_thread, word) == offsetof(struct vm_trace_run, saved.word) &&
        offsetof(struct os_thread, wait) == offsetof(struct vm_trace_run, saved.ready) &&
        offsetof(struct os_thread, running) == offsetof(struct vm_trace_run, saved.unused) &&
        offsetof(struct os_thread, tid) == offsetof(struct vm_trace_run, tid) &&
        offsetof(struct os_thread, tls) == offsetof(struct vm_trace_run, tls),
    "a thread begins like a struct vm_trace_run");
_Static_assert(offsetof(struct os_state, count) == offsetof(struct vm_threads, count) &&
                   offsetof(struct os_state, live) == offsetof(struct vm_threads, live) &&
                   offsetof(struct os_state, special) == offsetof(struct vm_threads, special),
               "the state begins like a struct vm_threads");

static bool is_urgent(const struct os_thread *thread)
{
    return thread->more && thread->more->urgent;
}

/* Resumes a thread: it does the action that it stopped at.  If it is left alone with a signal
 * to take, it still stops, since the signal may come before whatever it does next. */
OS_INLINE _Noreturn void run(const struct os_state *state, struct os_thread *thread)
{
    if (state->live == 1 && !is_urgent(thread))
        __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ALONE);
    __divm_control(VM_REG_RUN, VM_SET, (uint64_t)thread);
    __builtin_unreachable();
}

/* Can the thread run?  One that waits for memory that was freed goes on, so that the fault is
 * its own: with its stack, at the place where it waits. */
OS_INLINE bool can_run(const struct os_thread *thread)
{
    const int *word = thread->word;
    return !word || os_is_gone(word) || os_word_ready(word, thread->wait);
}

OS_INLINE struct os_thread *take_eager(struct os_state *state)
{
    struct os_thread *const *at = state->thread;
    while (!(*at)->eager)
        at++;
    (*at)->eager = 0;
    state->special--;
    return *at;
}

static bool is_limited(const struct os_thread *thread)
{
    return thread->more && thread->more->limit.time[0];
}

/* Can the thread go on without the time limit? */
static bool can_go_on(const struct os_thread *thread)
{
    if (!is_limited(thread))
        return can_run(thread);
    const int *word = thread->more->limit.word;
    if (thread->queue)
        return false;
    return word ? os_is_gone(word) || os_word_ready(word, (uint32_t)thread->more->limit.wait)
                : can_run(thread);
}

/* Counts the threads whose time limit is the next to pass, since no thread can go on. */
static size_t by_limit(const struct os_state *state, struct os_thread **first)
{
    size_t n = 0;
    for (int k = 0; k < state->count; k++) {
        struct os_thread *t = state->thread[k];
        if (!is_limited(t) || (!t->queue && !t->more->limit.word))
            continue;
        const long *a = t->more->limit.time, *b = n ? first[0]->more->limit.time : a;
        if (a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]))
            n = 0;
        if (!n || (a[0] == b[0] && a[1] == b[1]))
            first[n++] = t;
    }
    return n;
}

/* Makes the same choice where some thread has a signal to take or is to be cancelled.  When
 * that happens is open, so it is a second choice; a thread that waits can do nothing else.  Or
 * there are processes: each thread is judged with its own memory, and the checker gets no
 * frames, which it would take for threads that share theirs.  Or time passes only when nobody
 * can go on (--clock=prompt). */
static _Noreturn void run_special(struct os_state *state)
{
    size_t count = (unsigned)state->count, ready = 0;
    struct os_thread **thread = __builtin_alloca(sizeof *thread * count);
    for (size_t k = 0; k < count; k++) {
        struct os_thread *t = state->thread[k];
        os_come_in(t);
        if (can_go_on(t) || is_urgent(t))
            thread[ready++] = t;
    }
    if (ready == 0)
        ready = by_limit(state, thread);
    if (ready == 0)
        os_deadlock();
    struct os_thread *t = thread[__divm_choose((int)ready, NULL)];
    os_come_in(t);
    if (is_urgent(t) && (!can_go_on(t) || __divm_choose(2, NULL)))
        os_signal_prepare(t);
    run(state, t);
}

static _Noreturn void stop_over(void)
{
    os_stop(VM_FLAG_OVER);
}

/* Has the monitor, if there is one, look at where the last transition has led; returns what is
 * left of state->special. */
static int run_monitor(const struct os_state *state)
{
    if (!(state->special & OS_MONITORED))
        return state->special;
    const struct vm_boot *boot = (const struct vm_boot *)__divm_control(VM_REG_BOOT, VM_GET, 0);
    boot->monitor();
    if (state->special & OS_OVER)
        stop_over();
    return state->special - OS_MONITORED;
}

_Noreturn void os_end_watched(void)
{
    os_state()->special |= OS_OVER;
    if (os_is_thread(os_self()))
        os_self()->frame = NULL;
    stop_over();
}

/* Resumes a thread where there is more to do than to choose one; returns if a monitor was all.
 */
static void run_as_special(struct os_state *state)
{
    int special = run_monitor(state);
    if (!special)
        return;
    if (special < OS_URGENT)
        run(state, take_eager(state));
    if (special % OS_URGENT) {
        struct os_thread *first = take_eager(state);
        os_come_in(first);
        run(state, first);
    }
    run_special(state);
}

void os_scheduler(void)
{
    struct os_state *state = os_state();
    if (state->special)
        run_as_special(state);

    int chosen = __divm_choose(state->count, (struct vm_saved *const *)state->thread);
    if (chosen < 0)
        os_deadlock();
    run(state, state->thread[chosen]);
}

void os_urge(struct os_thread *thread)
{
    struct os_more *more = os_more(thread);
    os_opaque();
    if (!more->urgent)
        os_state()->special += OS_URGENT;
    more->urgent = 1;
}

void os_calm(struct os_thread *thread)
{
    if (!is_urgent(thread))
        return;
    thread->more->urgent = 0;
    os_state()->special -= OS_URGENT;
    os_less(thread);
}
