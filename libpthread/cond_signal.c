/* cond_signal.c - waking those who wait on a condition variable.  Which one a
 * signal wakes is not said by POSIX, so it is a choice. */
#include "libpthread/internal.h"
#include "os/commute.h"
#include "os/mode.h"
#include "os/queue.h"
#include "os/state.h"
#include "os/stuck.h"
#include "os/wait.h"

/* Wakes a thread: from now on it waits for the mutex to be free, unless it still holds that. */
static void wake(struct os_thread *thread, const struct cond *cond)
{
    const int *word = os_queued_word(thread, cond);
    bool keeps = word == &thread->running;
    os_dequeue(thread, cond, word,
               (uint32_t)VM_ACT_COND_WAKE << OS_ACTION |
                   (keeps ? OS_ALWAYS : OS_WHILE_NONZERO | OS_LOCK));
    if (!keeps) {
        os_commutes_begin();
        os_check_stuck(thread);
        os_commutes_end();
    }
}

void __pthread_cond_wake_one(struct cond *cond)
{
    int n = os_queue_length(cond);
    if (n)
        wake(os_queued(cond, n > 1 ? __divm_choose(n, NULL) : 0), cond);
}

int pthread_cond_signal(pthread_cond_t *cond)
{
    struct cond *c = (struct cond *)cond;
    os_enter();
    os_act(VM_ACT_COND_SIGNAL, c, sizeof *c);
    cond_check(c, __func__);
    if (c->state == DESTROYED)
        misuse("pthread_cond_signal: the condition variable was destroyed");
    __pthread_cond_wake_one(c);
    os_leave();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *cond)
{
    struct cond *c = (struct cond *)cond;
    struct os_thread *thread;
    os_enter();
    os_act(VM_ACT_COND_BROADCAST, c, sizeof *c);
    cond_check(c, __func__);
    if (c->state == DESTROYED)
        misuse("pthread_cond_broadcast: the condition variable was destroyed");
    while ((thread = os_queued(c, 0)))
        wake(thread, c);
    os_leave();
    return 0;
}
