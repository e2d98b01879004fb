/* queue.h - threads that wait for other threads to wake them: those whose `queue` is the
 * object, or was when a handler began.
 *
 * In the kernel, all of it.  The queue is any object of the caller's; nothing is kept in it. */
#ifndef OS_QUEUE_H
#define OS_QUEUE_H

#include "os/state.h"

/* Tell that the list of threads queued there changes, or is read: what a read depends on is
 * said by this alone, not by what threads have in `queue`. */
OS_INLINE void os_queue_changes(const void *queue)
{
    __divm_control(VM_REG_QUEUE, VM_SET, (uint64_t)queue);
}
OS_INLINE void os_queue_is_read(const void *queue)
{
    __divm_control(VM_REG_QUEUE, VM_GET, (uint64_t)queue);
}
OS_INLINE void os_enqueue(struct os_thread *self, const void *queue)
{
    os_queue_changes(queue);
    self->queue = queue;
}
/* Leaves the queue; true if the thread still was queued: nobody has woken it. */
OS_INLINE bool os_leave_queue(struct os_thread *self)
{
    if (!self->queue)
        return false;
    os_queue_changes(self->queue);
    self->queue = NULL;
    return true;
}

/* Returns how many threads are queued.  Not to be called in a commuting section, like
 * os_queued: it would end it. */
int os_queue_length(const void *queue);
/* Returns the k-th of them, in order of tid; NULL if there are not so many. */
struct os_thread *os_queued(const void *queue, int k);
/* Wakes a thread: it leaves this queue, waits for nothing, and runs eagerly. */
void os_wake(struct os_thread *thread, const void *queue);
/* Returns how many threads wait for this word and are not ready. */
int os_blocked_on(const int *word);

/* Returns the wait in which the thread is queued there, if a handler has interrupted it; NULL
 * if the thread is in it, or in none. */
OS_INLINE struct os_held *os_held_on(const struct os_thread *thread, const void *queue)
{
    if (thread->queue == queue || !thread->more)
        return NULL;
    struct os_held *held = thread->more->held;
    while (held && held->queue != queue)
        held = held->outer;
    return held;
}

/* Returns the word that a thread in the queue waits for. */
OS_INLINE const int *os_queued_word(const struct os_thread *thread, const void *queue)
{
    const struct os_held *held = os_held_on(thread, queue);
    return held ? held->word : thread->word;
}

/* Takes a thread off this queue; it waits for this from now on.  A signal handler that it is in
 * is done first. */
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
