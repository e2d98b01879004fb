/* internal.h - pthread objects as this library has them, under the sizes that musl's headers
 * give them.
 *
 * Statically initialised objects are all zero, so zero is an unlocked default
 * object.  A destroyed object says so until it is initialised again.  Who waits
 * is not kept here: threads that wait say so themselves (os/state.h).  Objects are
 * read and changed in the kernel only, except by the init functions: those write
 * as user code does, so that a race with a use is found. */
#ifndef LIBPTHREAD_INTERNAL_H
#define LIBPTHREAD_INTERNAL_H

#include "os/clock.h"
#include "os/commute.h"
#include "os/error.h"
#include "os/mode.h"
#include "os/signal.h"
#include "os/state.h"
#include "os/thread.h"
#include "os/wait.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <threads.h>
#include <time.h>

#define SAME_SIZE(ours, theirs) \
    _Static_assert(sizeof(struct ours) == sizeof(theirs), #theirs " has another size")

enum { DESTROYED = -1 };

struct mutex {
    int type;                /* PTHREAD_MUTEX_* | MUTEX_*, or DESTROYED */
    int locked;              /* 0 or 1: who waits for the mutex waits for 0 */
    struct os_thread *owner; /* NULL while not locked */
    int count;               /* how often a recursive mutex was locked again | MUTEX_LISTED */
    int protocol, ceiling;   /* PTHREAD_PRIO_*: kept */
    int untimed;             /* C11's, made without mtx_timed */
    int unused[2];
};
/* Values by which two words of a mutex say that it is special (mutex_special.c): the first is
 * read after locking, the second when unlocking. */
enum {
    MUTEX_TYPE = 3,
    MUTEX_ROBUST = 4,
    MUTEX_OWNER_DIED = 8,  /* and pthread_mutex_consistent was not called */
    MUTEX_LOST = 16,       /* it never was: ENOTRECOVERABLE */
    MUTEX_CEILING = 32,    /* PTHREAD_PRIO_PROTECT */
    MUTEX_TYPES = 63,      /* all of these */
    MUTEX_LISTED = 1 << 30 /* locked and robust: its owner's list has it */
};
SAME_SIZE(mutex, pthread_mutex_t);
SAME_SIZE(mutex, mtx_t);
_Static_assert(offsetof(struct mutex, locked) == offsetof(struct os_lock, word) &&
                   offsetof(struct mutex, owner) == offsetof(struct os_lock, owner),
               "os_lock");

/* Threads in pthread_cond_wait are queued on it, with the mutex as their word. */
struct cond {
    int state; /* 0 or DESTROYED */
    int clock;
    long zero; /* the owner, if it is a lock instead */
    long unused[3], last;
};
SAME_SIZE(cond, pthread_cond_t);
SAME_SIZE(cond, cnd_t);

struct rwlock {
    int state;               /* 0 or DESTROYED */
    int users;               /* how many read, or -1: one writes */
    struct os_thread *owner; /* the writer */
    long unused[4], last;
};
SAME_SIZE(rwlock, pthread_rwlock_t);
_Static_assert(offsetof(struct rwlock, users) == offsetof(struct os_lock, word) &&
                   offsetof(struct rwlock, owner) == offsetof(struct os_lock, owner),
               "os_lock");

/* Threads in pthread_barrier_wait are queued on it. */
struct barrier {
    int limit; /* how many threads it takes; 0: never initialised, or DESTROYED */
    int zero;  /* not so in a lock that is held */
    int unused[6];
};
SAME_SIZE(barrier, pthread_barrier_t);

enum { SEMAPHORE = 1 };
struct semaphore {
    int value;
    int state; /* SEMAPHORE, 0: never initialised, or DESTROYED */
    long zero; /* the owner, if it is a lock instead */
    long unused[2];
};
SAME_SIZE(semaphore, sem_t);

struct attr {
    size_t stack_size, guard_size;
    void *stack;
    int detached, scope, policy, priority, inherit;
    int unused[3];
};
SAME_SIZE(attr, pthread_attr_t);

/* Ends the run: the program uses a function as POSIX forbids. */
OS_INLINE _Noreturn void misuse(const char *message)
{
    __os_error(VM_FAULT_PTHREAD, message);
}

/* Ends the run: the function was given an object that was destroyed, */
_Noreturn void __pthread_destroyed(const char *function, const char *kind);
/* or something that is not an object of this kind. */
_Noreturn void __pthread_not_a(const char *function, const char *kind);
/* Ends the run: a thread holds the object that is misused (0: it is not known which). */
_Noreturn void __pthread_misuse_held(const char *message, uint64_t tid);
OS_INLINE uint64_t tid_of(const struct os_thread *thread)
{
    return thread && !os_is_gone(thread) ? thread->tid : 0;
}

/* Ends the run if the words of a mutex are what no mutex can have, whatever other threads do
 * with it: it is garbage, or a lock of another kind. What was destroyed passes, for a message
 * of its own. A mutex that is free is checked once it is locked (mutex_got), and most others by
 * their owner, for the price of a word. */
void __pthread_mutex_check(const struct mutex *mutex, const char *function);
/* Is the mutex locked, by whichever thread?  To be asked before locking. */
OS_INLINE bool mutex_is_held(const struct mutex *mutex, const char *function)
{
    if (!mutex->locked && !mutex->owner)
        return false;
    __pthread_mutex_check(mutex, function);
    return true;
}
/* Checks a mutex before self unlocks it. */
OS_INLINE void mutex_check_held(const struct mutex *mutex, const struct os_thread *self,
                                const char *function)
{
    if (mutex->owner != self || mutex->locked != 1)
        __pthread_mutex_check(mutex, function);
}

OS_INLINE void rwlock_check(const struct rwlock *lock, const char *function)
{
    if (lock->last || (lock->users < 0) != (lock->owner != NULL) ||
        (lock->state && (lock->users || lock->state != DESTROYED)))
        __pthread_not_a(function, "read-write lock");
}

OS_INLINE void cond_check(const struct cond *cond, const char *function)
{
    if (cond->zero || cond->last || (cond->state && cond->state != DESTROYED))
        __pthread_not_a(function, "condition variable");
}

OS_INLINE void semaphore_check(const struct semaphore *sem, const char *function)
{
    if (sem->zero || sem->value < 0 ||
        (sem->state != SEMAPHORE && sem->state != 0 && sem->state != DESTROYED))
        __pthread_not_a(function, "semaphore");
}

/* Attributes are looked at by each function that is given them, so that the error about some
 * that were never initialised, which is a branch on what is undefined, names them and the call.
 * pthread_*attr_destroy makes them undefined again. */
void __pthread_undefine(void *attributes, size_t size);
OS_INLINE void attributes_check(bool valid, const char *function)
{
    if (!valid)
        __pthread_not_a(function, "set of attributes");
}
OS_INLINE void mutexattr_check(const pthread_mutexattr_t *attr, const char *function)
{
    enum { FIELDS = 0x7f3f }; /* mutexattr.c */
    attributes_check(!(attr->__attr & ~(unsigned)FIELDS), function);
}
OS_INLINE void condattr_check(const pthread_condattr_t *attr, const char *function)
{
    attributes_check(!(attr->__attr << 1 >> 2), function); /* condattr.c */
}
OS_INLINE void rwlockattr_check(const pthread_rwlockattr_t *attr, const char *function)
{
    attributes_check(attr->__attr[0] <= PTHREAD_PROCESS_SHARED, function);
}
OS_INLINE void barrierattr_check(const pthread_barrierattr_t *attr, const char *function)
{
    attributes_check(attr->__attr <= PTHREAD_PROCESS_SHARED, function);
}
OS_INLINE void attr_check(const struct attr *attr, const char *function)
{
    attributes_check((unsigned)attr->detached <= PTHREAD_CREATE_DETACHED, function);
}

/* Enters the kernel for what another thread has. */
OS_INLINE struct os_thread *enter_for(pthread_t thread, const char *misused)
{
    struct os_thread *target = (struct os_thread *)thread;
    os_enter();
    os_act(VM_ACT_SYSCALL, target, sizeof *target);
    if (!os_is_known(target))
        misuse(misused);
    return target;
}

/* Is it a time limit that POSIX refuses?  Any other can pass at any moment, since no one knows
 * how long things take (but see is_never).  But it is read before the thread stops, and not
 * later. */
OS_INLINE bool is_bad_time(const struct timespec *time)
{
    return (unsigned long)time->tv_nsec >= 1000000000;
}

OS_INLINE bool is_never(const struct timespec *time)
{
    return os_is_never(time->tv_sec) && !is_bad_time(time);
}

/* From user mode: a time limit has passed.  Returns ETIMEDOUT, or EINVAL if POSIX refuses the
 * limit. */
OS_INLINE int timed_out(bool bad, const struct timespec *until)
{
    if (!bad)
        os_clock_until(until->tv_sec, until->tv_nsec);
    return bad ? EINVAL : ETIMEDOUT;
}

OS_INLINE bool is_bad_clock(clockid_t clock)
{
    return clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC;
}

OS_INLINE void mutex_take(struct mutex *mutex, struct os_thread *self)
{
    mutex->locked = 1;
    mutex->owner = self;
    self->holds++;
}

OS_INLINE void mutex_wait(int action, struct mutex *mutex)
{
    os_wait_held(action, mutex, sizeof *mutex, &mutex->locked, OS_WHILE_NONZERO | OS_LOCK,
                 mutex->owner);
}

/* In the kernel: takes a mutex that is free for the calling thread.  Returns 0 or an error. */
int __pthread_mutex_take_special(struct mutex *mutex, struct os_thread *self,
                                 const char *function);
OS_INLINE int mutex_got(struct mutex *mutex, struct os_thread *self, const char *function)
{
    if ((unsigned)mutex->type > PTHREAD_MUTEX_ERRORCHECK)
        return __pthread_mutex_take_special(mutex, self, function);
    mutex_take(mutex, self);
    return 0;
}

/* In the kernel: takes a robust mutex off its owner's list, before the owner gives it away. */
void __pthread_mutex_unlist(struct mutex *mutex, struct os_thread *self);

/* The attributes of a new thread, read before the thread that makes it stops. */
struct scheduling {
    bool is_explicit; /* or as that thread's */
    int policy, priority;
};
OS_INLINE struct scheduling scheduling_of(const struct attr *attr)
{
    return (struct scheduling){attr->inherit == PTHREAD_EXPLICIT_SCHED, attr->policy,
                               attr->priority};
}
/* inherit.c, in the kernel: gives a new thread what it has of its maker's, which may be NULL,
 * and of its attributes. */
void __pthread_inherit(struct os_thread *made, const struct os_more *from,
                       struct scheduling given);
/* In the kernel: wakes one, as pthread_cond_signal does. */
void __pthread_cond_wake_one(struct cond *cond);

/* exit.c: begins a thread of this function. */
void __pthread_run(os_function *start, void *arg);
/* key.c, mutex_special.c: to be called at the end of a thread. */
void __pthread_run_destructors(void);
void __pthread_leave_robust(void);

/* key.c and key_delete.c: not 0 where the program can delete keys. */
extern const int __pthread_deletes_keys;
void __pthread_key_remove(pthread_key_t key);

/* ---- cancellation (cancel.c) ----------------------------------------------------- */

/* Not 0 where the program can cancel threads.  Weak definitions in each file, since a
 * reference would have cancel.c linked. */
extern const int __pthread_cancellable;
#ifndef PTHREAD_CANCEL_C
__attribute__((weak)) const int __pthread_cancellable = 0;
__attribute__((weak)) void __os_cancelled(void)
{
    __builtin_unreachable();
}
#endif

/* Begins a cancellation point, and comes before its wait, in any mode: a request that is there
 * already is acted upon. */
#define CANCELLATION_POINT(self)                            \
    do                                                      \
        if (__pthread_cancellable && os_is_cancelled(self)) \
            __os_cancelled();                               \
    while (0)

#endif
