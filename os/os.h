/* os.h - the kernel, as libc and libpthread see it.
 *
 * A thread runs in user mode (plain code) or in the kernel (VM_FLAG_KERNEL): no
 * interrupts, no race checks, everything it does is one atomic step.  All fields
 * of the structs below belong to whoever is in the kernel.  Every blocking call
 * has one shape:
 *
 *     struct os_thread *self = os_enter();
 *     ... what only this thread can change may be read here ...
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
 * tid and frame come first: VM_TRACE_RUN carries just these two. */
struct os_thread {
    uint64_t tid;            /* the smallest free number; the main thread is 1 */
    struct vm_frame *frame;  /* where it stopped (VM_REG_SAVE); NULL: finished */
    const int *word;         /* what it waits for, or NULL: it can run */
    uint32_t wait;           /* OS_WHILE_* | enum vm_action << OS_ACTION */
    int running;             /* 0 once finished: joiners wait while it is not 0 */
    const void *queue;       /* condition variable or barrier it is queued on */
    struct os_thread *joiner; /* who waits, or is about to, in pthread_join */
    void *result;            /* of a finished thread that waits to be joined */
    void *tls;               /* VM_OBJ_TLS, or NULL */
    void *cleanup;           /* pthread_cleanup_push: struct __ptcb * */
    void *keys;              /* pthread_setspecific: void *[], made when needed */
    void *reading;           /* read locks held: rwlock *[], made when needed */
    int detached;
    int hurry;               /* runs first: see os_hurry */
};

/* VM_REG_STATE.  The threads are sorted by tid and stay until joined, or until
 * they end if detached. */
struct os_state {
    int count;   /* of threads, finished ones that wait for a join included */
    int live;    /* threads that are not finished */
    int hurry;   /* threads with hurry set */
    uint32_t options; /* VM_BOOT_* */
    struct os_thread *thread[];
};

/* How every lock begins that has an owner to be named in reports. */
struct os_lock {
    int type;
    int word;                /* what waiting threads wait for */
    struct os_thread *owner;
};

/* ---- modes ---------------------------------------------------------------- */

OS_INLINE struct os_thread *os_self(void)
{
    return (struct os_thread *)__divm_control(VM_REG_USER, VM_GET, 0);
}

OS_INLINE struct os_state *os_state(void)
{
    return (struct os_state *)__divm_control(VM_REG_STATE, VM_GET, 0);
}

/* To kernel mode, without a stop. */
OS_INLINE struct os_thread *os_enter(void)
{
    __divm_control(VM_REG_FLAGS, VM_OR, VM_FLAG_KERNEL);
    return os_self();
}

OS_INLINE void os_leave(void)
{
    __divm_control(VM_REG_FLAGS, VM_ANDNOT, VM_FLAG_KERNEL);
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
    OS_HOLDER = 16, /* the word's value is the holder's tid */
    OS_ACTION = 8   /* shift of the action */
};

OS_INLINE bool os_word_ready(const int *word, uint32_t wait)
{
    int value = *word;
    return wait >> (value == 0 ? 0 : value > 0 ? 1 : 2) & 1;
}

/* True of memory that was freed, and of what is no pointer. */
OS_INLINE bool os_is_gone(const void *object)
{
    return __divm_obj_size(object) == SIZE_MAX;
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
OS_INLINE void os_wait(int action, const void *object, size_t size,
                       const int *word, uint32_t wait)
{
    struct os_thread *self = os_self();
    self->word = word;
    self->wait = wait | (uint32_t)action << OS_ACTION;
    __divm_interrupt_mem(object, size, action);
    if (!os_ready(self))
        os_deadlock();
    self->word = NULL;
    self->wait = 0;
}

/* The same with a time limit, which can pass at any moment: true if the
 * condition is met, false if time is over. */
OS_INLINE bool os_wait_timed(int action, const void *object, size_t size,
                             const int *word, uint32_t wait)
{
    __divm_interrupt_mem(object, size, action);
    return os_word_ready(word, wait);
}

/* ---- queues: threads whose `queue` is the object --------------------------- */

int os_queue_length(const void *queue);
/* The k-th of them, in order of tid; NULL if there are not so many. */
struct os_thread *os_queued(const void *queue, int k);
/* The thread leaves its queue, waits for nothing, and hurries. */
void os_wake(struct os_thread *thread);
/* How many threads wait for this word and are not ready. */
int os_blocked_on(const int *word);

/* ---- threads -------------------------------------------------------------- */

typedef void os_function(void);

/* A new thread that starts with entry(start, arg), and hurries.  `arg` becomes
 * shared.  In the kernel. */
struct os_thread *os_thread_make(void (*entry)(os_function *start, void *arg),
                                 os_function *start, void *arg, bool detached);
/* Ends the calling thread, from user mode.  Returns, in user mode, only if no
 * other thread is left: then the caller ends the process. */
void os_thread_end(void *result);
/* Frees a finished thread.  In the kernel. */
void os_thread_free(struct os_thread *thread);
/* Is this a thread that has not been freed? */
OS_INLINE bool os_is_thread(const struct os_thread *thread)
{
    return __divm_obj_size(thread) == sizeof *thread;
}

/* The thread will be run before all others and without a choice, because what
 * it does up to its next visible action commutes with all they do: it has just
 * been made, or its wait has ended and its open footprint is empty. */
void os_hurry(struct os_thread *thread);

/* ---- errors, the end, system calls ---------------------------------------- */

/* Ends the run with an error of this kind (enum vm_fault_kind); the message is
 * one line.  From user mode or from the kernel. */
_Noreturn void __os_error(int fault, const char *message);
/* The process ends: a visible action, then exit status and leaks are checked. */
_Noreturn void os_exit(int status);
/* As Linux has them on x86-64: the result, or -errno.  A call that the kernel
 * does not have is an error that names it. */
long __os_syscall(long number, long a, long b, long c, long d, long e, long f);

/* Messages: appends to a string that ends at `end`, gives the new end.  The
 * caller knows that there is room. */
char *os_put(char *end, const char *text);
char *os_put_number(char *end, unsigned long number);

/* ---- the kernel's own ------------------------------------------------------ */

void os_scheduler(void);
void os_fault(int kind, struct vm_frame *at);
/* Ends the transition with these VM_FLAG_*; the running stack is dropped. */
_Noreturn void os_stop(uint64_t flags);

#endif
