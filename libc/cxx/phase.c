/* phase.c - the phases of std::barrier: counted and waited for in the kernel.
 *
 * libc++ has a tree of tickets, where each thread begins at a place that depends on its id,
 * and waits by polling: many actions, and nobody would know that a thread waits for ever.
 * Here an arrival is one visible action, and who waits is queued.  Who is woken goes on
 * whatever has become of the barrier's phase meanwhile; but as an action of its own that looks
 * at the barrier, as a real one would, so that one that was destroyed too early is found. */
#include "os/mode.h"
#include "os/queue.h"
#include "os/state.h"
#include "os/wait.h"

/* As in libc/cxx/include/barrier */
struct barrier {
    long expected; /* in the phases to come */
    long left;     /* to arrive in this one */
    int phase;     /* 0 or 1 */
};
enum { WAITS = 1, DROPS = 2, COMPLETES = 4, LAST = 2 };

int __cxx_barrier_arrive(struct barrier *b, long count, int how);
void __cxx_barrier_complete(struct barrier *b);
void __cxx_barrier_wait(const struct barrier *b, int phase);

static void wait(const struct barrier *b)
{
    struct os_thread *self = os_self();
    os_enqueue(self, b);
    os_wait(VM_ACT_BARRIER_LEAVE, b, sizeof *b, &self->running, OS_FOR_EVER);
    (void)*(const volatile int *)&b->phase;
}

static void complete(struct barrier *b)
{
    b->phase = !b->phase;
    b->left = b->expected;
    for (struct os_thread *thread; (thread = os_queued(b, 0));)
        os_dequeue(thread, b, &thread->running,
                   (uint32_t)VM_ACT_BARRIER_LEAVE << OS_ACTION | OS_WHILE_ZERO);
}

/* Arrives.  Returns the phase, and LAST if this completes it, which the caller then has to do
 * unless it COMPLETES by itself; -1 if so many are not expected. */
int __cxx_barrier_arrive(struct barrier *b, long count, int how)
{
    os_enter();
    os_act(how & WAITS ? VM_ACT_BARRIER : VM_ACT_BARRIER_ARRIVE, b, sizeof *b);
    int phase = b->phase;
    if (count <= 0 || count > b->left) {
        os_leave();
        return -1;
    }
    b->left -= count;
    if (how & DROPS)
        b->expected--;
    bool last = b->left == 0;
    if (last && how & COMPLETES)
        complete(b);
    else if (!last && how & WAITS)
        wait(b);
    os_leave();
    return last ? phase | LAST : phase;
}

/* Begins a new phase, after the program's completion function. */
void __cxx_barrier_complete(struct barrier *b)
{
    os_enter();
    os_act(VM_ACT_BARRIER_ARRIVE, b, sizeof *b);
    complete(b);
    os_leave();
}

void __cxx_barrier_wait(const struct barrier *b, int phase)
{
    os_enter();
    os_act(VM_ACT_BARRIER, b, sizeof *b);
    if (b->phase == phase)
        wait(b);
    os_leave();
}
