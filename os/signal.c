/* signal.c - signals.
 *
 * A signal that a thread sends to itself, or unblocks, is taken at the end of that
 * call.  One that comes from elsewhere makes the thread urgent: whenever it is
 * run, taking the signal is an alternative to the action that it stopped at.  It
 * then runs on a new frame, on top of the one where it stopped, and stops there
 * again when the handler is done.  Signals don't queue: a set has each once. */
#include "os/signal.h"
#include "os/clock.h"
#include "os/commute.h"
#include "os/error.h"
#include "os/error_number.h"
#include "os/exit.h"
#include "os/fs/pipe.h"
#include "os/handler.h"
#include "os/mode.h"
#include "os/process.h"
#include "os/state.h"
#include "os/syscall.h"
#include "os/thread.h"
#include "os/thread_end.h"
#include "os/wait.h"

static const char names[][8] = {
    "",       "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP", "SIGABRT", "SIGBUS",
    "SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM",
};

static uint64_t bit(int signal)
{
    return 1ull << (signal - 1);
}

static int lowest(uint64_t set)
{
    return set ? __builtin_ctzll(set) + 1 : 0;
}

/* One of these signals, if there is one: which comes first is left open by POSIX, but that of
 * the real-time ones it is the lowest. */
static int any(uint64_t set)
{
    enum { REALTIME = 32 };
    uint64_t usual = set & (bit(REALTIME) - 1), rest = set & ~usual;
    set = usual | (rest & -rest);
    int n = __builtin_popcountll(set);
    for (int chosen = n > 1 ? __divm_choose(n, NULL) : 0; chosen > 0; chosen--)
        set &= set - 1;
    return lowest(set);
}

/* ---- what is to be done with each signal ----------------------------------------- */

static struct os_signals *signals_of(struct os_own *own)
{
    if (!own->signals) {
        own->signals = __divm_obj_make(sizeof *own->signals, VM_OBJ_KERNEL);
        *own->signals = (struct os_signals){0};
    }
    return own->signals;
}

static struct os_signals *signals(void)
{
    return signals_of(os_own(os_self()));
}

static size_t handler_count(const struct os_signals *all)
{
    return (__divm_obj_size(all) - sizeof *all) / sizeof all->handler[0];
}

static struct os_handler handler_of(const struct os_own *own, int signal)
{
    const struct os_signals *all = own->signals;
    if (!all || (size_t)signal > handler_count(all))
        return (struct os_handler){0};
    return all->handler[signal - 1];
}

bool os_has_handler(int signal)
{
    const struct os_thread *self = os_self();
    struct os_handler handler = {0};
    if (self)
        handler = handler_of(os_own(self), signal);
    return handler.function != DEFAULT && handler.function != IGNORE;
}

/* Sets a handler.  The table goes up to the last signal that has one. */
static void set_handler(int signal, struct os_handler handler)
{
    struct os_signals *all = signals();
    size_t count = handler_count(all);
    if ((size_t)signal > count) {
        __divm_obj_resize(all, sizeof *all + (size_t)signal * sizeof handler);
        for (size_t k = count; k < (size_t)signal; k++)
            all->handler[k] = (struct os_handler){0};
    }
    all->handler[signal - 1] = handler;
    count = handler_count(all);
    while (count && all->handler[count - 1].function == DEFAULT &&
           !all->handler[count - 1].flags)
        count--;
    __divm_obj_resize(all, sizeof *all + count * sizeof handler);
}

static bool is_ignored(const struct os_own *own, int signal)
{
    handler_function *function = handler_of(own, signal).function;
    enum { CHLD = 17, CONT = 18, URG = 23, WINCH = 28 };
    return function == IGNORE || (function == DEFAULT && (signal == CHLD || signal == CONT ||
                                                          signal == URG || signal == WINCH));
}

/* Ends the process by a signal.  The parent of a child sees the status; but to abort is an
 * error in a child, too. */
static _Noreturn void terminate(int signal)
{
    enum { ABRT = 6 };
    const struct os_process *process = os_process(os_self());
    if (process && process->number != OS_PROCESS && signal != ABRT) {
        os_self()->frame = (struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
        os_process_end(signal, os_state()->options);
    }
    char message[64], *end = os_put(message, "the process is ended by ");
    if ((size_t)signal < sizeof names / sizeof *names)
        os_put(end, names[signal]);
    else
        os_put_number(os_put(end, "signal "), (unsigned long)signal);
    __os_error(signal == ABRT ? VM_FAULT_ABORT : VM_FAULT_EXIT_STATUS, message);
}

/* ---- sending --------------------------------------------------------------------- */

static uint64_t blocked(const struct os_thread *thread)
{
    return thread->more ? thread->more->blocked : 0;
}

static uint64_t deliverable(const struct os_thread *thread)
{
    return thread->more ? thread->more->pending & ~thread->more->blocked : 0;
}

static bool is_to_cancel(const struct os_thread *thread)
{
    return thread->more && thread->more->cancel == (OS_CANCEL_ASYNCHRONOUS | OS_CANCEL_PENDING);
}

void os_signal_refresh(struct os_thread *thread)
{
    if (deliverable(thread) || is_to_cancel(thread))
        os_urge(thread);
    else
        os_calm(thread);
}

void os_signal_send(struct os_thread *thread, int signal)
{
    if (!thread->running ||
        (is_ignored(os_own(thread), signal) && !(blocked(thread) & bit(signal))))
        return;
    struct os_more *more = os_more(thread);
    more->pending |= bit(signal);
    if (more->awaited & bit(signal))
        thread->wait |= OS_ALWAYS;
    else
        os_signal_refresh(thread);
}

static bool accepts(const struct os_process *process, const struct os_thread *thread,
                    int signal)
{
    const struct os_more *more = thread->more;
    return thread->running && os_process(thread) == process &&
           (!(blocked(thread) & bit(signal)) ||
            (more->awaited & bit(signal) && !(more->awaited & more->pending)));
}

static void give(struct os_thread *thread, int signal)
{
    bool had = thread->more && thread->more->pending & bit(signal);
    os_signal_send(thread, signal);
    if (!had && thread->more)
        thread->more->given |= thread->more->pending & bit(signal);
}

/* Sends a signal to a process: any thread that accepts it may get it, which is a choice; if
 * there is none, it stays pending. */
void os_signal_send_process(struct os_process *process, int signal)
{
    const struct os_state *state = os_state();
    int count = 0;
    for (int k = 0; k < state->count; k++)
        count += accepts(process, state->thread[k], signal);
    if (count == 0) {
        signals_of(process ? &process->own : &os_state()->own)->pending |= bit(signal);
        return;
    }
    int chosen = count > 1 ? __divm_choose(count, NULL) : 0;
    for (int k = 0; k < state->count; k++)
        if (accepts(process, state->thread[k], signal) && chosen-- == 0)
            give(state->thread[k], signal);
}

/* ---- taking ---------------------------------------------------------------------- */

/* Gives the thread what the process has pending and this thread accepts. */
static void fetch(struct os_thread *self, uint64_t set)
{
    struct os_signals *all = os_own(self)->signals;
    uint64_t found = all ? all->pending & set : 0;
    if (!found)
        return;
    all->pending &= ~found;
    os_more(self)->pending |= found;
    self->more->given |= found;
}

/* Has the thread one of these signals to take?  It fetches one that the process has
 * pending; the others stay for other threads. */
static bool fetch_one(struct os_thread *self, uint64_t wanted)
{
    if (self->more && self->more->pending & wanted)
        return true;
    const struct os_signals *all = os_own(self)->signals;
    int first = all ? any(all->pending & wanted) : 0;
    fetch(self, first ? bit(first) : 0);
    return first;
}

static void remove_pending(struct os_thread *self, int signal)
{
    self->more->pending &= ~bit(signal);
    self->more->given &= ~bit(signal);
    os_signal_refresh(self);
    os_less(self);
}

static void set_blocked(struct os_thread *self, uint64_t set)
{
    enum { KILL = 9, STOP = 19 };
    struct os_more *more = os_more(self);
    more->blocked = set & ~bit(KILL) & ~bit(STOP);
    for (uint64_t back; (back = more->given & more->blocked);) { /* for another thread */
        int signal = lowest(back);
        more->pending &= ~bit(signal);
        more->given &= ~bit(signal);
        os_signal_send_process(os_process(self), signal);
    }
    fetch(self, ~set);
    os_signal_refresh(self);
    os_less(self);
}

static void call(struct os_handler handler, int signal)
{
    struct info info = {.signal = signal};
    if (handler.flags & SIGINFO)
        ((void (*)(int, void *, void *))(void *)handler.function)(signal, &info, NULL);
    else
        handler.function(signal);
}

bool os_signal_take(void)
{
    bool restart = true;
    for (;;) {
        struct os_thread *self = os_enter();
        int signal = any(deliverable(self));
        if (!signal) {
            os_leave();
            return restart;
        }
        const struct os_own *own = os_own(self);
        struct os_handler handler = handler_of(own, signal);
        uint64_t before = self->more->blocked;
        remove_pending(self, signal);
        if (handler.function == DEFAULT && !is_ignored(own, signal))
            terminate(signal);
        if (is_ignored(own, signal)) {
            os_leave();
            continue;
        }
        if (handler.flags & RESETHAND)
            set_handler(signal, (struct os_handler){0});
        set_blocked(self, before | handler.mask | (handler.flags & NODEFER ? 0 : bit(signal)));
        __divm_trace(VM_TRACE_SIGNAL + (signal << 8), NULL, 0);
        os_leave();
        call(handler, signal);
        restart &= (handler.flags & RESTART) != 0;
        os_enter();
        set_blocked(self, before);
        os_leave();
    }
}

__attribute__((weak)) void __os_cancelled(void)
{
    __builtin_unreachable();
}

/* Notes what the thread does, which a handler with this frame interrupts. */
static void hold(struct os_thread *thread, struct vm_frame *handler)
{
    struct os_more *more = thread->more;
    struct os_held *held = __divm_obj_make(sizeof *held, VM_OBJ_KERNEL);
    *held = (struct os_held){
        .word = thread->word,
        .wait = thread->wait,
        .queue = thread->queue,
        .awaited = more->awaited,
        .limit = os_limit_exchange(thread, (struct os_limit){0}),
        .handler = handler,
        .outer = more->held,
    };
    thread->word = NULL;
    thread->wait = 0;
    thread->queue = NULL;
    more->awaited = 0;
    more->held = held;
}

/* Goes back when the handler is done.  A request to cancel, or a signal, that has come
 * meanwhile and would have ended the wait ends it now. */
static void go_back(struct os_thread *self)
{
    struct os_more *more = self->more;
    struct os_held *held = more->held;
    self->word = held->word;
    self->wait = held->wait;
    self->queue = held->queue;
    more->awaited = held->awaited;
    os_limit_exchange(self, held->limit);
    more->held = held->outer;
    __divm_obj_free(held, VM_OBJ_KERNEL);
    if (fetch_one(self, more->awaited) || (self->wait & OS_BY_CANCEL && os_is_cancelled(self)))
        self->wait |= OS_ALWAYS;
    os_less(self);
}

/* The first function of the thread's new frame: handles the signals, and goes back to where the
 * thread stopped. */
static void take_and_return(struct vm_frame *stopped)
{
    if (is_to_cancel(os_self()))
        __os_cancelled();
    os_signal_take();
    struct os_thread *self = os_enter();
    go_back(self);
    self->frame = stopped;
    struct vm_frame *frame = (struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
    while (frame->parent != stopped)
        frame = frame->parent;
    frame->parent = NULL; /* what is above it goes, the rest stays */
    os_stop(0);
}

/* Replaced where there are files. */
__attribute__((weak)) void os_fifo_abandon(const int *word)
{
    (void)word;
}

void os_leave_handlers(const struct vm_frame *frame)
{
    struct os_thread *self = os_self();
    const struct vm_frame *left =
        (const struct vm_frame *)__divm_control(VM_REG_FRAME, VM_GET, 0);
    for (struct os_held *held; self->more && (held = self->more->held);) {
        while (left && left != frame && left != held->handler)
            left = left->parent;
        if (left != held->handler)
            return;
        os_fifo_abandon(held->word);
        self->more->held = held->outer;
        __divm_obj_free(held, VM_OBJ_KERNEL);
        os_less(self);
    }
}

void os_signal_prepare(struct os_thread *thread)
{
    bool ends = thread->word && !is_to_cancel(thread) &&
                (thread->wait & OS_FOR_SIGNAL ||
                 (thread->wait & OS_BY_SIGNAL && __divm_choose(2, NULL)));
    if (ends) {
        thread->wait |= OS_ALWAYS; /* the call takes the signal */
        return;
    }
    size_t size = __divm_obj_size((const void *)take_and_return);
    struct vm_frame *frame = __divm_obj_make(size, VM_OBJ_FRAME);
    frame->parent = thread->frame;
    frame->pc = (void (*)(void))take_and_return;
    frame->reg[0] = (uint64_t)thread->frame;
    hold(thread, frame);
    thread->frame = frame;
}

/* ---- system calls ---------------------------------------------------------------- */

static bool is_signal(long signal)
{
    return signal >= 1 && signal <= 64;
}

static long action(long signal, const struct os_handler *new, struct os_handler *old)
{
    enum { KILL = 9, STOP = 19 };
    if (!is_signal(signal) || signal == KILL || signal == STOP)
        return -EINVAL_;
    os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    struct os_handler before = handler_of(os_own(os_self()), (int)signal);
    if (new)
        set_handler((int)signal,
                    (struct os_handler){new->function, new->flags, NULL, new->mask});
    os_leave();
    if (old)
        *old = before;
    return 0;
}

static long mask(long how, const uint64_t *set, uint64_t *old)
{
    enum { BLOCK, UNBLOCK, SETMASK };
    uint64_t change = set ? *set : 0; /* in user mode, here and below: races are found */
    if (set && (unsigned long)how > SETMASK)
        return -EINVAL_;
    struct os_thread *self = os_enter();
    uint64_t before = blocked(self);
    if (set) { /* others see whether it accepts a signal */
        os_act(VM_ACT_SIGNAL, NULL, 0);
        set_blocked(self, how == BLOCK     ? before | change
                          : how == UNBLOCK ? before & ~change
                                           : change);
    }
    os_leave();
    if (old)
        *old = before;
    if (set)
        os_signal_take();
    return 0;
}

static long pending(uint64_t *set)
{
    const struct os_thread *self = os_enter();
    os_act(VM_ACT_SIGNAL, NULL, 0);
    const struct os_signals *all = os_own(self)->signals;
    uint64_t found = (self->more ? self->more->pending : 0) | (all ? all->pending : 0);
    os_leave();
    *set = found & blocked(self);
    return 0;
}

uint64_t os_signal_mask(const uint64_t *mask)
{
    struct os_thread *self = os_self();
    uint64_t before = blocked(self);
    if (mask) {
        os_opaque();
        set_blocked(self, *mask);
    }
    return before;
}

bool os_signal_is_due(void)
{
    return deliverable(os_self());
}

void os_signal_unmask(const uint64_t *mask, uint64_t before, bool interrupted)
{
    if (interrupted) {
        os_leave();
        os_signal_take();
        os_enter();
    }
    if (mask)
        set_blocked(os_self(), before);
    os_leave();
    if (mask)
        os_signal_take(); /* what came meanwhile, and was not blocked before */
}

/* Waits until a handler has run.  The first stop is before the call, the second in it. */
static long suspend(const uint64_t *set)
{
    uint64_t mask = set ? *set : 0;
    struct os_thread *self = os_enter();
    os_act(VM_ACT_SIGNAL, NULL, 0);
    uint64_t before = os_signal_mask(set ? &mask : NULL);
    if (!os_signal_is_due() && !os_is_cancelled(self))
        os_wait_open(VM_ACT_SIGNAL, NULL, 0, &self->running,
                     OS_FOR_EVER | OS_FOR_SIGNAL | OS_BY_CANCEL);
    os_signal_unmask(set ? &mask : NULL, before, true);
    return -EINTR_;
}

static long await(const uint64_t *set, struct info *info, const void *limit)
{
    uint64_t wanted = *set;
    struct os_thread *self = os_enter();
    os_act(VM_ACT_SIGNAL, NULL, 0);
    if (!fetch_one(self, wanted) && !limit && !os_is_cancelled(self)) {
        os_more(self)->awaited = wanted;
        os_wait_open(VM_ACT_SIGNAL, NULL, 0, &self->running,
                     OS_FOR_EVER | OS_BY_SIGNAL | OS_BY_CANCEL);
        self->more->awaited = 0;
    }
    int signal = self->more ? any(self->more->pending & wanted) : 0;
    if (signal)
        remove_pending(self, signal);
    else
        os_less(self);
    os_leave();
    if (!signal && !limit)
        os_signal_take();
    if (signal && info)
        *info = (struct info){.signal = signal};
    return signal ? signal : limit ? -EAGAIN_ : -EINTR_;
}

/* Is the process meant by a number?  The first process may be sent a signal by one of its
 * group, or by its number. */
static bool is_meant(const struct os_process *process, long number)
{
    const struct os_process *own = os_process(os_self());
    int its = process ? process->number : OS_PROCESS;
    int group = process ? process->group : OS_PROCESS;
    return number > 0     ? its == number
           : number == 0  ? group == (own ? own->group : OS_PROCESS)
           : number == -1 ? true
                          : group == -number;
}

static long kill(long number, long signal)
{
    if (signal && !is_signal(signal))
        return -EINVAL_;
    os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    struct os_process **list = os_state()->processes, *only = NULL;
    size_t count = list ? os_process_count() : 1;
    bool found = false;
    for (size_t k = 0; k < count; k++) {
        struct os_process *process = list ? list[k] : only;
        if (!is_meant(process, number))
            continue;
        found = true;
        if (signal && !(process && process->ended))
            os_signal_send_process(process, (int)signal);
    }
    os_leave();
    os_signal_take();
    return found ? 0 : -ESRCH_;
}

static long kill_thread(long number, long signal)
{
    if (signal && !is_signal(signal))
        return -EINVAL_;
    struct os_thread *found = NULL;
    os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    const struct os_state *state = os_state();
    for (int k = 0; k < state->count; k++)
        if ((long)state->thread[k]->tid == number - OS_PROCESS + 1 && state->thread[k]->running)
            found = state->thread[k];
    if (found && signal)
        os_signal_send(found, (int)signal);
    os_leave();
    os_signal_take();
    return found ? 0 : -ESRCH_;
}

/* ---- alarm: a thread of the kernel's that ends by sending a signal --------------- */

static void ring(os_function *start, void *arg)
{
    (void)start;
    (void)arg;
    enum { ALRM = 14 };
    struct os_thread *self = os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    struct os_signals *all = signals();
    if (all->alarm == self) {
        all->alarm = NULL;
        os_signal_send_process(os_process(self), ALRM);
    }
    os_leave();
    os_thread_end(NULL);
    os_exit(0);
}

/* Sets an alarm, which may ring at any moment from now on, whatever the time.  A thread whose
 * alarm was taken back rings for nothing.  One that has rung is heard before the call returns:
 * so a process with one thread can rely on its silence. */
static long alarm(unsigned long seconds)
{
    os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    struct os_signals *all = signals();
    bool was_set = all->alarm != NULL;
    all->alarm = seconds ? os_thread_make(ring, NULL, NULL, true) : NULL;
    if (all->alarm)
        os_more(all->alarm)->blocked = ~0ull;
    os_leave();
    os_signal_take();
    return was_set;
}

static long alarm_left(void)
{
    os_enter();
    os_act(VM_ACT_SIGNAL, signals(), sizeof(struct os_signals));
    bool is_set = signals()->alarm != NULL;
    os_leave();
    os_signal_take();
    return is_set;
}

long os_signal_syscall(long number, long a, long b, long c)
{
    os_opaque();
    switch (number) {
    case OS_SIGNAL_ACTION:
        return action(a, (const struct os_handler *)b, (struct os_handler *)c);
    case OS_SIGNAL_MASK: return mask(a, (const uint64_t *)b, (uint64_t *)c);
    case OS_SIGNAL_PENDING: return pending((uint64_t *)a);
    case OS_SIGNAL_SUSPEND: return suspend((const uint64_t *)a);
    case OS_SIGNAL_AWAIT: return await((const uint64_t *)a, (struct info *)b, (const void *)c);
    case OS_SIGNAL_KILL: return kill(a, b);
    case OS_SIGNAL_KILL_THREAD: return kill_thread(a, b);
    case OS_SIGNAL_ALARM_LEFT: return alarm_left();
    default: return alarm((unsigned long)a);
    }
}

/* ---- processes ------------------------------------------------------------------- */

struct os_signals *os_signals_copy(const struct os_signals *from)
{
    size_t size = from ? __divm_obj_size(from) : 0;
    if (!size)
        return NULL;
    struct os_signals *made = __divm_obj_make(size, VM_OBJ_KERNEL);
    __builtin_memcpy(made, from, size);
    made->pending = 0;
    made->alarm = NULL;
    return made;
}

bool os_signal_is_ignored(const struct os_own *own, int signal)
{
    return handler_of(own, signal).function == IGNORE;
}
