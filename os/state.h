/* state.h - the kernel's state: threads, what few of them have, processes, and the list of them
 * all.
 *
 * All of it is VM_OBJ_KERNEL objects, which belong to whoever is in the kernel (os/mode.h).
 * Equal situations must be equal states: there are no counters that only grow and no stale
 * values, and a field that says nothing is 0.  Everybody who includes a header of os/ gets this
 * one, and with it the machine's hypercalls. */
#ifndef OS_STATE_H
#define OS_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vm/hypercall.h"

/* Inlines a function, so that a stopped thread keeps one frame less. */
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
    int eager; /* runs first: see os_run_eagerly */
    /* Threads that it has joined before they ended (os_await_joined), and those of them
       that are not finished; both 0 otherwise. */
    int deferred, joining;
    int holds;                /* locks that have an owner; not those that it reads under */
    int symmetric;            /* there was another that began alike */
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

/* The wait of a thread that a signal handler interrupted, a VM_OBJ_KERNEL object: the handler
 * may wait itself, and what comes meanwhile may be for either wait. */
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

/* The part of the kernel's state that each process has of its own. */
struct os_own {
    struct os_signals *signals; /* os/signal.c; made when needed */
    struct os_files *files;     /* os/fs/file.c; made when needed */
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
    int special;              /* threads with eager set + OS_URGENT * threads with urgent set
                                 + OS_FORKED if there are processes
                                 + OS_MONITORED if there is a monitor, and OS_OVER if nothing
                                 else goes on */
    uint32_t options;         /* VM_BOOT_* */
    uint32_t random;          /* os/random.c */
    struct os_own own;        /* while there is one process */
    struct os_node **nodes;   /* os/fs/node.c: by number; up to the last one */
    uint64_t output;          /* VM_BOOT_OUTPUT: a hash of what was printed */
    long *clock;              /* VM_BOOT_CLOCK: seconds, nanoseconds; made when needed */
    void *named;              /* libpthread/sem_open.c */
    struct os_mapped *mapped; /* os/memory.c; memory that processes share */
    struct os_process **processes; /* by number; NULL before the first fork */
    struct os_thread *thread[];
};

/* The beginning of every lock that has an owner to be named in reports. */
struct os_lock {
    int type;
    int word; /* what waiting threads wait for */
    struct os_thread *owner;
};

/* Kinds for obj_make: a kernel object with a number.  The state has 1, and threads have theirs
 * by their tids. */
#define OS_STABLE(number) (VM_OBJ_KERNEL | VM_OBJ_STABLE | (int)(number) << VM_OBJ_DETAIL)
#define OS_STABLE_THREAD(tid) OS_STABLE(2 * (tid))

OS_INLINE struct os_thread *os_self(void)
{
    return (struct os_thread *)__divm_control(VM_REG_USER, VM_GET, 0);
}

OS_INLINE struct os_state *os_state(void)
{
    return (struct os_state *)__divm_control(VM_REG_STATE, VM_GET, 0);
}

/* Is it memory that was freed, or no pointer? */
OS_INLINE bool os_is_gone(const void *object)
{
    return __divm_obj_size(object) == SIZE_MAX;
}

/* Is this a thread that has not been freed? */
OS_INLINE bool os_is_thread(const struct os_thread *thread)
{
    return __divm_obj_size(thread) == sizeof *thread;
}

#endif
