/* queue.h - threads that wait for other threads to wake them: those whose `queue` is the
 * object, or was when a handler began.
 *
 * In the kernel, all of it.  The queue is any object of the caller's; nothing is kept in it. */
#ifndef OS_QUEUE_H
#define OS_QUEUE_H

#include "os/state.h"

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

/* Not to be called in commuting code, like os_queued: it would be not commuting afterwards. */
int os_queue_length(const void *queue);
/* The k-th of them, in order of tid; NULL if there are not so many. */
struct os_thread *os_queued(const void *queue, int k);
/* The thread leaves this queue, waits for nothing, and runs eagerly. */
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

/* The word that a thread in the queue waits for. */
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

#endif
