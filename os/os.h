/* os.h - the kernel, as libc and libpthread see it.
 *
 * A thread runs in user mode (plain code) or in the kernel (VM_FLAG_KERNEL): no
 * interrupts, no race checks, everything it does is one atomic step.  All fields
 * of the structs below belong to whoever is in the kernel.  Every blocking call
 * has one shape:
 *
 *     struct os_thread *self = os_enter();
 *     ... what only this thread can change may be read here (VM_FLAG_QUIET) ...
 *     os_wait(ACTION, object, size, &word, OS_WHILE_NONZERO);    it stops here
 *     ... read and change what all threads share, without waiting ...
 *     os_leave();
 *
 * Equal situations must be equal states: no counters that only grow, no stale
 * values; a field that says nothing is 0. */
#ifndef OS_OS_H
#define OS_OS_H

#include "vm/hypercall.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Inlined, so that a stopped thread keeps one frame less. */
#define OS_INLINE static inline __attribute__((always_inline))

/* A thread; a VM_OBJ_KERNEL object.  pthread_t and thrd_t point to it.
 * It begins like a struct vm_trace_run. */
struct os_thread {
    struct vm_frame *frame;   /* where it stopped (VM_REG_SAVE); NULL: finished */
    const int *word;          /* what it waits for, or NULL: it can run */
    uint32_t wait;            /* OS_WHILE_* | enum vm_action << OS_ACTION */
    int running;              /* 0 once finished: joiners wait while it is not 0 */
    uint64_t tid;             /* the smallest free number; the main thread is 1 */
    void *tls;                /* VM_OBJ_TLS, or NULL */
    const void *queue;        /* condition variable or barrier it is queued on */
    struct os_thread *joiner; /* who has called pthread_join */
    void *result;             /* of a finished thread that waits to be joined */
    struct os_more *more;     /* what few threads have, made when needed */
    void *reading;            /* os/reading.h: read locks held, made when needed */
    int detached;
    int hurry; /* runs first: see os_hurry */
    /* Threads that it has joined before they ended (os_await_joined), and those of them
       that are not finished; both 0 otherwise. */
    int late, joining;
    int holds;                /* locks that have an owner; not those that it reads under */
    int twin;                 /* there was another that began alike */
    const void *start, *like; /* how it began: the function, and what tells its argument */
};

enum { OS_LISTED = 1 << 30 };

/* --clock=prompt: the end of a wait (seconds, nanoseconds), 0 if there is none, and the word
 * that it waits for, NULL if that is to be woken. */
struct os_limit {
    long time[2];
    const int *word;
    uint64_t wait;
};

/* The rest of a thread, a VM_OBJ_KERNEL object; there is none while all of it is 0. */
struct os_more {
    void *cleanup;              /* pthread_cleanup_push: struct __ptcb * */
    void *keys;                 /* pthread_setspecific: void *[], made when needed */
    void *robust;               /* robust mutexes held: mutex *[], made when needed */
    uint64_t blocked;           /* signals; bit 0 is signal 1 */
    uint64_t pending;           /* signals that it is to take */
    uint64_t given;             /* those of them that were sent to the process */
    uint64_t awaited;           /* signals that it waits for in sigwait */
    struct os_process *process; /* NULL while there is only one */
    struct os_held *held;       /* in a signal handler: what that has interrupted */
    int cancel;                 /* OS_CANCEL_* */
    int urgent;                 /* os_urge was called */
    int policy, priority;       /* pthread_setschedparam: kept, without effect */
    char name[16];              /* pthread_setname_np; all 0 after the name's end */
    uint64_t cycles, readings;  /* os/cycles.c */
    struct os_limit limit;
};

/* What a thread was doing when a signal handler began, a VM_OBJ_KERNEL object: the handler may
 * wait for something itself, and what comes meanwhile may be for either of them. */
struct os_held {
    const int *word; /* of struct os_thread */
    uint32_t wait;
    const void *queue;
    uint64_t awaited; /* of struct os_more */
    struct os_limit limit;
    struct vm_frame *handler; /* the first frame on top */
    struct os_held *outer;    /* that was in a handler, too: what that has interrupted */
};

enum { OS_CANCEL_DISABLED = 1, OS_CANCEL_ASYNCHRONOUS = 2, OS_CANCEL_PENDING = 4 };

/* What each process has of its own. */
struct os_own {
    struct os_signals *signals; /* os/signal.c; made when needed */
    struct os_files *files;     /* os/file.c; made when needed */
};

/* A process, a VM_OBJ_KERNEL object; there are none before the first fork. */
struct os_process {
    int number, parent, group, session; /* parent 0: it has ended */
    int live;                           /* threads that are not finished */
    int ended;                          /* and waits to be waited for */
    int status;                         /* then: as wait tells it */
    int may_die;                        /* os/death.c */
    struct os_thread *first;            /* its number stays taken */
    void *space;                        /* NULL: of the first process */
    struct os_own own;
};

/* VM_REG_STATE.  The threads are sorted by tid and stay until joined, or until
 * they end if detached. */
struct os_state {
    int count;                /* of threads, finished ones that wait for a join included */
    int live;                 /* threads that are not finished */
    int special;              /* threads with hurry set + OS_URGENT * threads with urgent set
                                 + OS_FORKED if there are processes */
    uint32_t options;         /* VM_BOOT_* */
    uint32_t random;          /* os/random.c */
    struct os_own own;        /* while there is one process */
    struct os_node **nodes;   /* os/node.c: by number; up to the last one */
    uint64_t output;          /* VM_BOOT_OUTPUT: a hash of what was printed */
    long *clock;              /* VM_BOOT_CLOCK: seconds, nanoseconds; made when needed */
    void *named;              /* libpthread/sem_open.c */
    struct os_mapped *mapped; /* os/memory.c; memory that processes share */
    struct os_process **processes; /* by number; NULL before the first fork */
    struct os_thread *thread[];
};

/* How every lock begins that has an owner to be named in reports. */
struct os_lock {
    int type;
    int word; /* what waiting threads wait for */
    struct os_thread *owner;
};

/* Kinds for obj_make: a kernel object with a number.  The state has 1, and threads have theirs
 * by their tids. */
#define OS_NAMED(number) (VM_OBJ_KERNEL | VM_OBJ_NAMED | (int)(number) << VM_OBJ_NUMBER)
#define OS_NAMED_THREAD(tid) OS_NAMED(2 * (tid))

/* ---- modes ---------------------------------------------------------------- */

OS_INLINE struct os_thread *os_self(void)
{
    return (struct os_thread *)__divm_control(VM_REG_USER, VM_GET, 0);
}

OS_INLINE struct os_state *os_state(void)
{
    return (struct os_state *)__divm_control(VM_REG_STATE, VM_GET, 0);
}

/* The threads that the calling one has joined late: waits for their ends, and frees them.
 * In the kernel; quiet then. */
void os_await_joined(void);
/* The same before the process ends: if no others are left, these need not be freed. */
void os_await_ends(void);

/* To kernel mode, without a stop: what it touches before the next one commutes with
 * what others do. */
OS_INLINE struct os_thread *os_enter_late(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL | VM_FLAG_QUIET);
    return os_self();
}

/* The same for all but pthread_join: others have ended if this thread has joined them. */
OS_INLINE struct os_thread *os_enter(void)
{
    if (__divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL | VM_FLAG_QUIET) & VM_FLAG_LATE)
        os_await_joined();
    return os_self();
}

OS_INLINE void os_leave(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT,
                   VM_FLAG_KERNEL | VM_FLAG_QUIET | VM_FLAG_AFTER | VM_FLAG_SECTION);
}

/* Bookkeeping follows that commutes with what others do, up to os_loud or the next stop. */
OS_INLINE void os_quiet(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_QUIET);
}

OS_INLINE void os_loud(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_QUIET);
}

/* In the kernel: what is read from now on, up to os_not_after or the next stop, and not
 * quietly, is there only because somebody has written it, and was known to be there. */
OS_INLINE void os_after(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_AFTER);
}

OS_INLINE void os_not_after(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_AFTER);
}

/* What this transition does has effects on others that the words it touches don't
 * show: searches that go by these must give up. */
OS_INLINE void os_entangle(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ENTANGLED);
}

/* In the kernel: the program gets to know which threads have which tid.  That of the main
 * thread is always the same; which others are free depends on who has ended.  So what goes by
 * accesses gives up, and nothing is left out of which this could tell. */
OS_INLINE void os_show_tids(void)
{
    os_entangle();
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ORDER | VM_FLAG_NUMBER);
}

/* ---- visible actions and waiting ------------------------------------------ */

/* When a waiting thread is ready, by the sign of its word: bit 0 if it is zero,
 * bit 1 if positive, bit 2 if negative.  OS_FOR_EVER waits until another thread
 * changes the record (os_wake, or |= of a condition). */
enum {
    OS_FOR_EVER = 0,
    OS_WHILE_NONZERO = 1,
    OS_WHILE_ZERO = 2 | 4,
    OS_WHILE_NEGATIVE = 1 | 2,
    OS_WHILE_POSITIVE = 1 | 4,
    OS_ALWAYS = 1 | 2 | 4,
    /* for reports: who holds what the word belongs to */
    OS_LOCK = 8,    /* the word is that of a struct os_lock */
    OS_HOLDER = 16, /* the holder has the word listed (os/reading.h) */
    /* what else ends the wait, see os_wait_open: pthread_cancel; a signal, or
       only its handler runs and the wait goes on; always a signal */
    OS_BY_CANCEL = 32,
    OS_BY_SIGNAL = 64,
    OS_FOR_SIGNAL = 128,
    OS_ACTION = 8 /* shift of the action */
};

OS_INLINE bool os_word_ready(const int *word, uint32_t wait)
{
    int value = *word;
    if (__builtin_constant_p(wait)) /* that leaves one comparison */
        return (wait & 1 && value == 0) || (wait & 2 && value > 0) || (wait & 4 && value < 0);
    return wait >> ((value != 0) + ((unsigned)value >> 31)) & 1;
}

/* True of memory that was freed, and of what is no pointer. */
OS_INLINE bool os_is_gone(const void *object)
{
    return __divm_obj_size(object) == SIZE_MAX;
}

/* Is this a thread that has not been freed? */
OS_INLINE bool os_is_thread(const struct os_thread *thread)
{
    return __divm_obj_size(thread) == sizeof *thread;
}

OS_INLINE bool os_ready(const struct os_thread *thread)
{
    return !thread->word || os_word_ready(thread->word, thread->wait);
}

_Noreturn void os_deadlock(void);

/* A visible action that never waits: the thread stops before it, and comes back
 * in the kernel.  `object` and `size` say what it acts on. */
OS_INLINE void os_act(int action, const void *object, size_t size)
{
    __divm_interrupt_mem(object, size, action);
}

/* A visible action that is not possible while `word` is as `wait` says.  Comes
 * back in the kernel, with the condition met and nothing else done since.  It
 * may be called again before os_leave.  A thread that is alone does not stop,
 * and if it would have to wait, nobody can ever wake it. */
OS_INLINE void os_wait(int action, const void *object, size_t size, const int *word,
                       uint32_t wait)
{
    struct os_thread *self = os_self();
    self->word = word;
    self->wait = wait | (uint32_t)(action & ~VM_ACT_READY) << OS_ACTION;
    __divm_interrupt_mem(object, size, action);
    if (!os_word_ready(word, self->wait))
        os_deadlock();
    self->word = NULL;
    self->wait = 0;
}

/* The same for a wait that a signal or cancelling can end: true if that was so.
 * It may also have been so although the condition is met by now. */
OS_INLINE bool os_wait_open(int action, const void *object, size_t size, const int *word,
                            uint32_t wait)
{
    struct os_thread *self = os_self();
    self->word = word;
    self->wait = wait | (uint32_t)(action & ~VM_ACT_READY) << OS_ACTION;
    __divm_interrupt_mem(object, size, action);
    if (!os_word_ready(word, self->wait))
        os_deadlock();
    bool interrupted = (self->wait & OS_ALWAYS) == OS_ALWAYS;
    self->word = NULL;
    self->wait = 0;
    return interrupted && (!os_word_ready(word, wait) || __divm_choose(2, NULL));
}

/* The same with a time limit, which can pass at any moment: true if the
 * condition is met, false if time is over. */
OS_INLINE bool os_wait_timed(int action, const void *object, size_t size, const int *word,
                             uint32_t wait)
{
    __divm_interrupt_mem(object, size, action);
    return os_word_ready(word, wait);
}

/* In the kernel, quiet: an error if threads can never go on, and with them the process; to be
 * called when this thread is to wait for what others hold, also if it was waiting for something
 * else, and when one ends that holds something or is the main thread (os/stuck.c). */
void os_check_stuck(const struct os_thread *thread);
void os_check_left(void);
/* Of those that the thread waits to join, the k-th; NULL if there are not so many. */
OS_INLINE const struct os_thread *os_joined(const struct os_thread *thread, int k)
{
    const struct os_state *state = os_state();
    for (int i = 0; i < state->count; i++)
        if (state->thread[i]->joiner == thread && state->thread[i]->running && k-- == 0)
            return state->thread[i];
    return NULL;
}

/* Who holds what this word of the asking thread's process is of (OS_HOLDER), or NULL. */
const struct os_thread *os_holder(const int *word, const struct os_thread *asking);

/* In which order threads are joined, and so when they are gone, matters to what follows. */
OS_INLINE void os_ask_order(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_ORDER);
}

/* So does what other threads have in variables that they do not use any more. */
OS_INLINE void os_ask_dead(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_DEAD);
}

/* The program has a handle of a thread.  Which of the threads that are joined late was joined
 * first is not looked at, unless others ask for them meanwhile. */
OS_INLINE bool os_is_known(const struct os_thread *thread)
{
    if (!os_is_thread(thread))
        return false;
    if (thread->joiner && thread->joiner->late)
        os_ask_order();
    return true;
}

/* os_wait for what another thread holds (NULL: not known which), or for its end.  Most that
 * are held are so by a thread that goes on. */
OS_INLINE void os_wait_held(int action, const void *object, size_t size, const int *word,
                            uint32_t wait, const struct os_thread *holder)
{
    struct os_thread *self = os_self();
    self->word = word;
    self->wait = wait | (uint32_t)(action & ~VM_ACT_READY) << OS_ACTION;
    os_quiet(); /* who is the last finds it: the order of the others is the same */
    if (!os_word_ready(word, wait) && !(holder && os_is_thread(holder) && !holder->word))
        os_check_stuck(self);
    __divm_interrupt_mem(object, size, action);
    if (!os_word_ready(word, wait)) /* no signal ends it */
        os_deadlock();
    os_quiet(); /* nobody else goes by what it has waited for */
    self->word = NULL;
    self->wait = 0;
    os_loud();
}

/* ---- queues: threads whose `queue` is the object, or was when a handler began --- */

/* Which threads are queued there changes, or is looked at: what it then depends on is said by
 * this alone, not by what threads have in `queue`. */
OS_INLINE void os_queue_changes(const void *queue)
{
    __divm_control(VM_REG_QUEUE, VM_SET, (uint64_t)queue);
}
OS_INLINE void os_queue_is_looked_at(const void *queue)
{
    __divm_control(VM_REG_QUEUE, VM_GET, (uint64_t)queue);
}
OS_INLINE void os_enqueue(struct os_thread *self, const void *queue)
{
    os_queue_changes(queue);
    self->queue = queue;
}
/* True if it still was queued: nobody has woken it. */
OS_INLINE bool os_leave_queue(struct os_thread *self)
{
    if (!self->queue)
        return false;
    os_queue_changes(self->queue);
    self->queue = NULL;
    return true;
}

/* Not to be called in quiet code, like os_queued: it would be loud afterwards. */
int os_queue_length(const void *queue);
/* The k-th of them, in order of tid; NULL if there are not so many. */
struct os_thread *os_queued(const void *queue, int k);
/* The thread leaves this queue, waits for nothing, and hurries. */
void os_wake(struct os_thread *thread, const void *queue);
/* How many threads wait for this word and are not ready. */
int os_blocked_on(const int *word);

/* The wait in which the thread is queued there, if a handler has interrupted it; NULL if the
 * thread is in it, or in none. */
OS_INLINE struct os_held *os_held_on(const struct os_thread *thread, const void *queue)
{
    if (thread->queue == queue || !thread->more)
        return NULL;
    struct os_held *held = thread->more->held;
    while (held && held->queue != queue)
        held = held->outer;
    return held;
}

/* Of a thread that is queued there: the word that it waits for. */
OS_INLINE const int *os_queued_word(const struct os_thread *thread, const void *queue)
{
    const struct os_held *held = os_held_on(thread, queue);
    return held ? held->word : thread->word;
}

/* The thread leaves this queue, and waits for this from now on; a signal handler
 * that it is in is done first. */
OS_INLINE void os_dequeue(struct os_thread *thread, const void *queue, const int *word,
                          uint32_t wait)
{
    struct os_held *held = os_held_on(thread, queue);
    os_queue_changes(queue);
    *(held ? &held->queue : &thread->queue) = NULL;
    *(held ? &held->word : &thread->word) = word;
    *(held ? &held->wait : &thread->wait) = wait;
}

/* ---- threads -------------------------------------------------------------- */

typedef void os_function(void);

/* A new thread that starts with entry(start, arg), and hurries.  `arg` becomes
 * shared.  In the kernel. */
struct os_thread *os_thread_make(void (*entry)(os_function *start, void *arg),
                                 os_function *start, void *arg, bool detached);
/* In the kernel: puts a thread in the list, under a number; frees what is in
 * thread->more, and that. */
void os_thread_insert(struct os_thread *thread);
void os_thread_free_more(struct os_thread *thread);
/* In the kernel: the rest of a thread, made if there is none; and what is to be
 * called when some of it became 0. */
struct os_more *os_more(struct os_thread *thread);
void os_less(struct os_thread *thread);

/* The thread will be run before all others and without a choice, because what
 * it does up to its next visible action commutes with all they do: it has just
 * been made, or its wait has ended and its open footprint is empty. */
OS_INLINE void os_hurry(struct os_thread *thread)
{
    struct os_state *state = os_state();
    if (state->options & VM_BOOT_NO_HURRY)
        return;
    thread->hurry = 1;
    state->special++;
}

/* The thread has a signal to take or is to be cancelled wherever it is: from now
 * on, when it is run, this may come before what it stopped at; also if that is
 * something it waits for.  os_calm: no longer. */
enum { OS_URGENT = 1 << 16, OS_FORKED = 1 << 30 };
void os_urge(struct os_thread *thread);
void os_calm(struct os_thread *thread);

/* Has it a request that is to be acted upon? */
OS_INLINE bool os_is_cancelled(const struct os_thread *thread)
{
    return thread->more && (thread->more->cancel & (OS_CANCEL_PENDING | OS_CANCEL_DISABLED)) ==
                               OS_CANCEL_PENDING;
}

/* ---- processes -------------------------------------------------------------- */

enum { OS_PROCESS = 2 }; /* the number of the first; 1 is the parent of all */

OS_INLINE struct os_process *os_process(const struct os_thread *thread)
{
    return thread->more ? thread->more->process : NULL;
}

OS_INLINE struct os_own *os_own(const struct os_thread *thread)
{
    struct os_process *process = os_process(thread);
    return process ? &process->own : &os_state()->own;
}

OS_INLINE size_t os_process_count(void)
{
    struct os_process *const *list = os_state()->processes;
    return list ? __divm_obj_size(list) / sizeof *list : 0;
}

/* The memory of the thread's process comes in: what it waits for can be looked at. */
OS_INLINE void os_come_in(const struct os_thread *thread)
{
    if (os_state()->processes) {
        const struct os_process *process = os_process(thread);
        __divm_control(VM_REG_SPACE, VM_SET, (uint64_t)(process ? process->space : NULL));
    }
}

/* Is this address the same place for both?  Global variables have one address in all
 * processes. */
OS_INLINE bool os_is_same_place(const void *address, const struct os_thread *a,
                                const struct os_thread *b)
{
    return (uint64_t)address >> 61 != VM_ID_GLOBAL || os_process(a) == os_process(b);
}

/* In the kernel: the calling thread's process ends, with all its threads, and with what they
 * have in their frames. */
_Noreturn void os_process_end(int status);
/* In the kernel: the thread of a process that ends gives away its robust mutexes;
 * libpthread's, where there are mutexes. */
void __os_leave_robust(struct os_thread *thread);
/* System calls about processes: as Linux has them.  os/process.c has them where the
 * program can fork; else the only process answers. */
long os_process_syscall(long number, long a, long b, long c, long d);
long os_fork(void);

/* ---- signals --------------------------------------------------------------- */

/* In the kernel: the thread, about to be run, takes a signal or is cancelled
 * first.  If there is nothing of the kind after all, it just goes on. */
void os_signal_prepare(struct os_thread *thread);
/* In the kernel: is it urgent?  To be called when what decides that has changed. */
void os_signal_refresh(struct os_thread *thread);
/* Calls the handlers of the calling thread's pending signals, from user mode.
 * True if an interrupted call is to go on (SA_RESTART). */
bool os_signal_take(void);
/* In the kernel, for a call that may have a mask of its own (NULL: none): the thread has that
 * one from now on; returns the one before.  Is a signal due, by the thread's mask?  The end of
 * the call, which leaves the kernel: the thread has the mask from before again, after the
 * handlers if a signal has interrupted it. */
uint64_t os_signal_mask(const uint64_t *mask);
bool os_signal_is_due(void);
void os_signal_unmask(const uint64_t *mask, uint64_t before, bool interrupted);
/* In the kernel: the calling thread goes on in this frame (NULL: it ends).  What was
 * interrupted by the handlers that it leaves thereby is not gone back to. */
void os_leave_handlers(const struct vm_frame *frame);
/* In the kernel: the calling thread will not go back to its wait for this word, so if that was
 * for the other side of a pipe, it opens it no more. */
void os_fifo_abandon(const int *word);
/* Sends a signal to a thread or a process (NULL: the only one), in the kernel. */
void os_signal_send(struct os_thread *thread, int signal);
void os_signal_send_process(struct os_process *process, int signal);
/* For a child: the handlers, without what is pending.  Was it to be ignored? */
struct os_signals *os_signals_copy(const struct os_signals *from);
bool os_signal_is_ignored(const struct os_own *own, int signal);
/* System calls: OS_SIGNAL_* with arguments as Linux has them. */
enum os_signal_call {
    OS_SIGNAL_ACTION,
    OS_SIGNAL_MASK,
    OS_SIGNAL_PENDING,
    OS_SIGNAL_SUSPEND,
    OS_SIGNAL_AWAIT,
    OS_SIGNAL_KILL,
    OS_SIGNAL_KILL_THREAD,
    OS_SIGNAL_ALARM,
    OS_SIGNAL_ALARM_LEFT, /* 1 if one is set */
};
long os_signal_syscall(long number, long a, long b, long c);
/* Referred to by functions with which a thread can be interrupted anywhere: the end
 * of a thread is then no weak action any more. */
void os_async(void);
/* Referred to by functions that tell what another thread has until it ends. */
void os_see_ends(void);
/* Referred to by functions that can give descriptor 1 another file: to print is then a visible
 * action where there are other threads. */
void os_redirect(void);
/* Ends a cancelled thread, from any mode; libpthread's, where threads can be. */
_Noreturn void __os_cancelled(void);

/* ---- errors, the end, system calls ---------------------------------------- */

/* Ends the run with an error of this kind (enum vm_fault_kind); the message is
 * one line.  From user mode or from the kernel. */
_Noreturn void __os_error(int fault, const char *message);

/* From now on the process may die: a death test wants it.  Only its parent knows. */
void __os_may_die(void);
/* In the kernel: may it?  If it may, it dies of a fault that it would die of elsewhere. */
bool os_may_die(void);
void os_die(int fault, struct vm_frame *at);
/* The process ends: a visible action, then exit status and leaks are checked. */
_Noreturn void os_exit(int status);
/* In the kernel: prints to descriptor 1 or 2. */
void os_output(int fd, const void *data, size_t size);
/* --clock=prompt, in the kernel: a wait that now begins ends at this time, or, for a
 * sleep, after it; and it has ended, by this time or otherwise.  Between them a signal handler
 * may run, and its thread goes by another limit, or none: the one that it had. */
void os_limit_begin(long seconds, long nanoseconds, const int *word, uint32_t wait);
void os_limit_end(bool passed);
struct os_limit os_limit_exchange(struct os_thread *thread, struct os_limit limit);
bool os_is_prompt(void);
void os_clock_after(long *seconds, long *nanoseconds);
/* From user mode: a time limit has passed; or this much time. */
enum { OS_NOW = 946684800 }; /* Saturday, 1 January 2000 */
void os_clock_read(long *seconds, long *nanoseconds);
void os_clock_until(long seconds, long nanoseconds);
void os_clock_add(long seconds, long nanoseconds);

/* divm.c: around a function that is an atomic section (vm/load/prepare/load_atomic.c).  In user
 * mode: a section begins, unless it is in one; and ends, if it has begun. */
int __os_section_begin(void);
void __os_section_end(int begun);

/* cycles.c: what rdtsc gives; the loader calls it.  From user mode. */
uint64_t __os_cycles(void);

/* random.c: the place of the next bytes, in the kernel; these bytes, anywhere. */
uint32_t os_random(size_t size);
void os_random_fill(uint32_t place, unsigned char *bytes, size_t size);
/* As Linux has them on x86-64: the result, or -errno.  A call that the kernel
 * does not have is an error that names it. */
long __os_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Messages: appends to a string that ends at `end`, gives the new end.  The
 * caller knows that there is room. */
char *os_put(char *end, const char *text);
char *os_put_number(char *end, unsigned long number);

/* ---- the kernel's own ------------------------------------------------------ */

/* Not 0 where others can interrupt a thread before it ends (os/async.c), and where they can
 * tell that its end has come (os/ends.c): the end does not commute with what they do then. */
extern const int os_interruptible;
extern const int os_sees_ends;
extern const int os_redirects; /* not 0 where descriptors can change: os/redirect.c */
void os_scheduler(void);
void os_fault(int kind, struct vm_frame *at);
bool os_has_handler(int signal); /* a function of the process */
/* Ends the transition with these VM_FLAG_*; the running stack is dropped. */
OS_INLINE _Noreturn void os_stop(uint64_t flags)
{
    __divm_control(VM_REG_SAVE, VM_SET, 0);
    __divm_control(VM_REG_FLAGS, VM_OR, flags | VM_FLAG_STOP);
    __builtin_unreachable();
}

#endif
