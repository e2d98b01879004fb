/* thread.h - threads: making them, what few of them have, and which of them are urgent.
 *
 * In the kernel, all of it.  A thread belongs to the list of os_state until it is joined, or,
 * if it is detached, until it ends (os/thread_end.h). */
#ifndef OS_THREAD_H
#define OS_THREAD_H

#include "os/state.h"

typedef void os_function(void);

/* Makes a thread that starts with entry(start, arg), and runs eagerly.  `arg` becomes shared.
 * In the kernel. */
struct os_thread *os_thread_make(void (*entry)(os_function *start, void *arg),
                                 os_function *start, void *arg, bool detached);
/* In the kernel: puts a thread in the list, under a number; frees what is in
 * thread->more, and that. */
void os_thread_insert(struct os_thread *thread);
void os_thread_free_more(struct os_thread *thread);
/* In the kernel.  os_more: returns the rest of a thread, made if there is none.  os_less: to be
 * called when some of it became 0. */
struct os_more *os_more(struct os_thread *thread);
void os_less(struct os_thread *thread);

/* Makes a thread urgent: it has a signal to take or is to be cancelled wherever it is.  From
 * now on, when it is run, this may come before what it stopped at; also if that is something it
 * waits for.  os_calm: no longer. */
enum { OS_URGENT = 1 << 16, OS_OVER = 1 << 28, OS_MONITORED = 1 << 29, OS_FORKED = 1 << 30 };
void os_urge(struct os_thread *thread);
void os_calm(struct os_thread *thread);

/* Has the thread a request to cancel that is to be acted upon? */
OS_INLINE bool os_is_cancelled(const struct os_thread *thread)
{
    return thread->more && (thread->more->cancel & (OS_CANCEL_PENDING | OS_CANCEL_DISABLED)) ==
                               OS_CANCEL_PENDING;
}

#endif
