/* barrier.c - barriers.  A thread that arrives is queued; the last one lets all go on, which
 * they do before anyone else since nobody can tell when they do, and is the serial thread
 * (POSIX leaves open which it is). */
#include "libpthread/internal.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/state.h"
#include "os/wait.h"

int pthread_barrier_init(pthread_barrier_t *restrict barrier,
                         const pthread_barrierattr_t *restrict attr, unsigned count)
{
    if (attr)
        barrierattr_check(attr, __func__);
    if (count == 0 || count > INT_MAX)
        return EINVAL;
    *(struct barrier *)barrier = (struct barrier){.limit = (int)count};
    return 0;
}

OS_INLINE void check(const struct barrier *barrier, const char *function, const char *destroyed,
                     const char *unborn)
{
    if (barrier->zero || barrier->limit < DESTROYED)
        __pthread_not_a(function, "barrier");
    if (barrier->limit == DESTROYED)
        misuse(destroyed);
    if (barrier->limit == 0)
        misuse(unborn);
}

int pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    struct barrier *b = (struct barrier *)barrier;
    os_enter();
    os_act(VM_ACT_DESTROY, b, sizeof *b);
    check(b, __func__, "pthread_barrier_destroy: the barrier is destroyed already",
          "pthread_barrier_destroy: the barrier was never initialised");
    if (os_queued(b, 0))
        misuse("pthread_barrier_destroy: a thread waits at the barrier");
    b->limit = DESTROYED;
    os_leave();
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    struct barrier *b = (struct barrier *)barrier;
    struct os_thread *self = os_enter(), *thread;
    os_act(VM_ACT_BARRIER, b, sizeof *b);
    check(b, __func__, "pthread_barrier_wait: the barrier was destroyed",
          "pthread_barrier_wait: the barrier was never initialised");
    bool last = os_queue_length(b) + 1 == b->limit;
    if (last) {
        while ((thread = os_queued(b, 0)))
            os_wake(thread, b);
    } else {
        os_enqueue(self, b);
        /* a word of its own: the barrier may be gone by the time that it goes on */
        os_wait(VM_ACT_BARRIER_LEAVE, b, sizeof *b, &self->running, OS_FOR_EVER);
    }
    os_leave();
    return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}
