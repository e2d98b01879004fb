/* process.c - fork, wait and the end of a process; linked where a program can fork.
 *
 * The first fork makes records of processes, the first process's included.  The
 * machine copies memory (VM_REG_FORK); files and handlers are copied here.  A process
 * that has ended stays until it is waited for, with its first thread's record, whose
 * number is its own. */
#include "os/process.h"
#include "os/commute.h"
#include "os/error_number.h"
#include "os/fs/open.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/scheduler.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"
#include "os/thread_end.h"
#include "os/wait.h"

#define SYSCALL(number, name) SYS_##name = number,
enum {
#include "os/syscall.def"
};
#undef SYSCALL

enum { CHLD = 17 };

/* ---- the list -------------------------------------------------------------------- */

static struct os_process *find(long number)
{
    for (size_t k = 0, count = os_process_count(); k < count; k++)
        if (os_state()->processes[k]->number == number)
            return os_state()->processes[k];
    return NULL;
}

static int number_of(const struct os_thread *thread)
{
    return OS_PROCESS - 1 + (int)thread->tid;
}

/* Enters a process by its number, so that the order of forks is no part of a state. */
static void enter(struct os_process *process)
{
    struct os_state *state = os_state();
    size_t count = os_process_count(), place = count;
    if (count)
        __divm_obj_resize(state->processes, (count + 1) * sizeof process);
    else
        state->processes = __divm_obj_make(sizeof process, VM_OBJ_KERNEL);
    for (; place && state->processes[place - 1]->number > process->number; place--)
        state->processes[place] = state->processes[place - 1];
    state->processes[place] = process;
}

/* Forgets a process for which nobody will ask any more. */
static void forget(struct os_process *process)
{
    struct os_state *state = os_state();
    struct os_thread *first = process->first;
    size_t count = os_process_count(), place = 0;
    while (state->processes[place] != process)
        place++;
    for (; place + 1 < count; place++)
        state->processes[place] = state->processes[place + 1];
    __divm_obj_resize(state->processes, (count - 1) * sizeof process);
    __divm_obj_free(process, VM_OBJ_KERNEL);
    os_thread_free(first);
}

static struct os_process *make(struct os_thread *first)
{
    struct os_process *process = __divm_obj_make(sizeof *process, VM_OBJ_KERNEL);
    *process = (struct os_process){
        .number = number_of(first), .live = os_state()->live, .first = first};
    return process;
}

/* Prepares the first fork: everything belongs to the first process. */
static void first_fork(void)
{
    struct os_state *state = os_state();
    struct os_process *process = make(state->thread[0]);
    process->parent = OS_PROCESS - 1;
    process->number = process->group = process->session = OS_PROCESS;
    process->own = state->own;
    state->own = (struct os_own){0};
    enter(process);
    state->special += OS_FORKED;
    for (int k = 0; k < state->count; k++)
        if (state->thread[k]->running)
            os_more(state->thread[k])->process = process;
}

/* ---- fork ------------------------------------------------------------------------ */

enum { ROOTS = 10 }; /* and the handlers that it is in */

static size_t count_held(const struct os_thread *thread)
{
    size_t n = 0;
    for (const struct os_held *held = thread->more->held; held; held = held->outer)
        n++;
    return n;
}

static void add(void **roots, void *object)
{
    size_t n = 0;
    while (roots[n])
        n++;
    if (object)
        roots[n] = object;
}

/* Adds what the kernel has of a thread. */
static void add_thread(void **roots, const struct os_thread *thread)
{
    const struct os_more *more = thread->more;
    add(roots, thread->tls);
    add(roots, thread->reading);
    add(roots, more->keys);
    add(roots, more->robust);
    for (struct os_held *held = more->held; held; held = held->outer)
        add(roots, held);
}

/* Starts a process with a copy of the calling thread, which so far is in no list. */
static struct os_process *start(struct os_thread *thread, const struct os_process *parent,
                                void *space)
{
    struct os_state *state = os_state();
    struct os_more *more = thread->more;
    thread->word = NULL;
    thread->wait = 0;
    thread->joiner = NULL;
    thread->detached = thread->eager = 0;
    more->pending = more->given = more->awaited = 0;
    more->urgent = 0;
    os_thread_insert(thread);
    state->live++;
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_ALONE);
    struct os_process *process = make(thread);
    process->live = 1;
    process->parent = parent->number;
    process->group = parent->group;
    process->session = parent->session;
    process->space = space;
    process->own.signals = os_signals_copy(parent->own.signals);
    process->own.files = os_files_copy(parent->own.files);
    more->process = process;
    enter(process);
    os_run_eagerly(thread);
    return process;
}

long os_fork(void)
{
    struct os_thread *self = os_enter();
    os_act(VM_ACT_FORK, NULL, 0);
    if (!os_state()->processes)
        first_fork();
    os_files();
    size_t size = (ROOTS + count_held(self)) * sizeof(void *);
    void **roots = __builtin_alloca(size);
    __builtin_memset(roots, 0, size);
    add(roots, self);
    add(roots, self->more);
    self->frame = (struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
    add(roots, self->frame);
    add_thread(roots, self);
    void *space = (void *)__divm_control(VM_REG_FORK, VM_SET, (uint64_t)roots);
    if (!space) /* the child, in user mode */
        return 0;
    long number = start(roots[0], os_process(self), space)->number;
    os_leave();
    return number;
}

/* ---- the end --------------------------------------------------------------------- */

/* Tells the parent, if there is one and it wants to know. */
static void tell_parent(struct os_process *process)
{
    struct os_process *parent = find(process->parent);
    struct os_thread *waiting;
    bool first = process->number == OS_PROCESS; /* no other is to be taken for it */
    if (!first && (!parent || parent->ended || os_signal_is_ignored(&parent->own, CHLD)))
        forget(process);
    if (!parent || parent->ended)
        return;
    os_signal_send_process(parent, CHLD);
    while ((waiting = os_queued(parent, 0)))
        os_dequeue(waiting, parent, NULL, OS_ALWAYS);
}

static void leave_children(const struct os_process *process)
{
    for (size_t k = os_process_count(); k-- > 0;) {
        struct os_process *child = os_state()->processes[k];
        if (child->parent != process->number)
            continue;
        child->parent = OS_PROCESS - 1;
        if (child->ended)
            forget(child);
    }
}

__attribute__((weak)) void __os_leave_robust(struct os_thread *thread)
{
    (void)thread;
}

/* Ends the threads; what they had is in the list, whose end is returned. */
static void **end_threads(const struct os_process *process)
{
    struct os_state *state = os_state();
    size_t size = (size_t)(state->count * ROOTS + 1) * sizeof(void *);
    void **roots = __divm_obj_make(size, VM_OBJ_KERNEL);
    __builtin_memset(roots, 0, size);
    for (int k = state->count; k-- > 0;) {
        struct os_thread *thread = state->thread[k];
        if (!thread->running || os_process(thread) != process)
            continue;
        state->live--;
        if (thread->eager)
            state->special--;
        add(roots, thread->frame);
        thread->frame = NULL;
        __os_leave_robust(thread);
        add_thread(roots, thread);
        os_calm(thread);
        __divm_obj_free(thread->more, VM_OBJ_KERNEL);
        thread->more = NULL;
        if (thread != process->first)
            os_thread_free(thread);
    }
    return roots;
}

/* Makes a new record for the first thread, since nothing that the old one did may be taken for
 * its own. */
static void replace_first(struct os_process *process)
{
    struct os_state *state = os_state();
    int kind = OS_STABLE_THREAD(process->first->tid);
    struct os_thread *thread = __divm_obj_make(sizeof *thread, kind);
    *thread = (struct os_thread){.tid = process->first->tid, .word = &thread->running};
    for (int k = 0; k < state->count; k++)
        if (state->thread[k] == process->first)
            state->thread[k] = thread;
    __divm_obj_free(process->first, VM_OBJ_KERNEL);
    process->first = thread;
}

_Noreturn void os_process_end(int status, uint32_t options)
{
    struct os_process *process = os_process(os_self());
    if (!process)
        os_end(options);
    if (process->own.files)
        os_files_close();
    if (process->own.signals)
        __divm_obj_free(process->own.signals, VM_OBJ_KERNEL);
    process->own = (struct os_own){0};
    void **roots = end_threads(process);
    __divm_control(VM_REG_FORK, VM_ANDNOT, (uint64_t)roots);
    __divm_obj_free(roots, VM_OBJ_KERNEL);
    process->space = NULL;
    process->live = 0;
    process->ended = 1;
    process->status = status;
    replace_first(process);
    leave_children(process);
    tell_parent(process);
    if (!os_state()->live)
        os_end(options);
    os_stop(0);
}

/* ---- wait ------------------------------------------------------------------------ */

static bool is_meant(const struct os_process *child, long which)
{
    const struct os_process *own = os_process(os_self());
    return child->parent == own->number && (which > 0     ? child->number == which
                                            : which == 0  ? child->group == own->group
                                            : which == -1 ? true
                                                          : child->group == -which);
}

/* Returns how many children are meant; with k, finds the k-th of those that have ended.
 * SIZE_MAX: how many have ended. */
static size_t find_ended(long which, size_t k, struct os_process **found)
{
    size_t ended = 0, meant = 0;
    for (size_t i = 0, count = os_process_count(); i < count; i++) {
        struct os_process *child = os_state()->processes[i];
        if (!is_meant(child, which))
            continue;
        meant++;
        if (child->ended && ended++ == k)
            *found = child;
    }
    return k == SIZE_MAX ? ended : meant;
}

/* Chooses one of several that have ended. */
static long choose_ended(long which, struct os_process **found)
{
    size_t ended = find_ended(which, SIZE_MAX, found);
    size_t chosen = ended > 1 ? (size_t)__divm_choose((int)ended, NULL) : 0;
    return find_ended(which, chosen, found) ? 0 : -ECHILD_;
}

/* Waits for a child, as a copy: it may be gone.  Returns its number, 0 if none has ended and
 * the call does not wait, or an error. */
static long await(long which, bool waits, bool keep, struct os_process *ended)
{
    struct os_process *found = NULL;
    struct os_thread *self = os_enter();
    os_act(VM_ACT_WAIT, NULL, 0);
    struct os_process *own = os_process(self);
    long result = own ? choose_ended(which, &found) : -ECHILD_;
    while (!result && !found && waits) {
        bool interrupted = os_is_cancelled(self);
        if (!interrupted) {
            os_enqueue(self, own);
            interrupted = os_wait_open(VM_ACT_WAIT, own, sizeof *own, &self->running,
                                       OS_FOR_EVER | OS_BY_SIGNAL | OS_BY_CANCEL);
            interrupted = os_leave_queue(self) && interrupted;
        }
        result = choose_ended(which, &found);
        if (!result && !found && interrupted)
            result = -EINTR_;
    }
    if (found) {
        *ended = *found;
        result = found->number;
        if (!keep)
            forget(found);
    }
    os_leave();
    return result;
}

static long wait_for(long which, int *status, long options, struct os_process *ended)
{
    enum { NOHANG = 1, NOWAIT = 0x1000000 };
    long result;
    do
        result = await(which, !(options & NOHANG), options & NOWAIT, ended);
    while (result == -EINTR_ && os_signal_take() && !os_is_cancelled(os_self()));
    if (result > 0)
        os_signal_take(); /* SIGCHLD came before this call was done */
    if (result > 0 && status)
        *status = ended->status;
    return result;
}

struct info {
    int signal, error, code, unused;
    int process, user, status;
    int rest[25];
}; /* siginfo_t */

static long wait_id(long type, long number, struct info *info, long options)
{
    enum { ALL, PID, PGID, USER = 1000, EXITED = 1, KILLED = 2, WEXITED = 4 };
    struct os_process ended;
    if (type < ALL || type > PGID || !(options & WEXITED))
        return -EINVAL_;
    long which = type == ALL ? -1 : type == PID ? number : -number;
    long result = wait_for(which, NULL, options, &ended);
    if (result < 0)
        return result;
    *info = (struct info){0};
    if (result) {
        bool killed = ended.status & 127;
        *info = (struct info){.signal = CHLD,
                              .code = killed ? KILLED : EXITED,
                              .process = ended.number,
                              .user = USER,
                              .status = killed ? ended.status : ended.status >> 8};
    }
    return 0;
}

/* ---- groups ---------------------------------------------------------------------- */

static long set_group(struct os_process *own, long number, long group)
{
    struct os_process *process = number ? find(number) : own;
    if (group < 0)
        return -EINVAL_;
    if (!process || (process != own && process->parent != own->number))
        return -ESRCH_;
    group = group ? group : process->number;
    bool there = group == process->number;
    for (size_t k = 0, count = os_process_count(); k < count; k++)
        there |= os_state()->processes[k]->group == group &&
                 os_state()->processes[k]->session == own->session;
    if (!there || process->session == process->number || process->session != own->session)
        return -EPERM_;
    process->group = (int)group;
    return 0;
}

static long set_session(struct os_process *own)
{
    for (size_t k = 0, count = os_process_count(); k < count; k++)
        if (os_state()->processes[k]->group == own->number)
            return -EPERM_;
    own->group = own->session = own->number;
    return own->number;
}

static long groups(long number, long a, long b)
{
    os_enter();
    os_act(VM_ACT_SYSCALL, NULL, 0);
    struct os_process *own = os_process(os_self()), *process = a ? find(a) : own;
    long result = -ESRCH_;
    switch (number) {
    case SYS_getppid: result = own->parent; break;
    case SYS_getpgrp: result = own->group; break;
    case SYS_getpgid:
    case SYS_getsid:
        if (process)
            result = number == SYS_getpgid ? process->group : process->session;
        break;
    case SYS_setpgid: result = set_group(own, a, b); break;
    case SYS_setsid: result = set_session(own); break;
    }
    os_leave();
    return result;
}

static long groups_of_one(long number, long a, long b)
{
    os_enter();
    first_fork();
    os_leave();
    return groups(number, a, b);
}

long os_process_syscall(long number, long a, long b, long c, long d)
{
    struct os_process ended;
    (void)d;
    switch (number) {
    case SYS_getpid: return os_process(os_self()) ? os_process(os_self())->number : OS_PROCESS;
    case SYS_wait4: return wait_for(a, (int *)b, c, &ended);
    case SYS_waitid: return wait_id(a, b, (struct info *)c, d);
    case SYS_fork:
    case SYS_vfork: return os_fork();
    default: return os_process(os_self()) ? groups(number, a, b) : groups_of_one(number, a, b);
    }
}
