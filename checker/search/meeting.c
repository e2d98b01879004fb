/* meeting.c - see meeting.h. */
#include "meeting.h"

#include "processors.h"

/* As long as it takes to fall asleep and to be woken, or a little more. */
enum { SPINS = 2000 };

void meeting_init(struct meeting *meeting, unsigned n)
{
    *meeting = (struct meeting){.n = n, .spins = n <= processors_count() ? SPINS : 0};
    pthread_mutex_init(&meeting->lock, NULL);
    pthread_cond_init(&meeting->over, NULL);
}

void meeting_fini(struct meeting *meeting)
{
    pthread_mutex_destroy(&meeting->lock);
    pthread_cond_destroy(&meeting->over);
}

static bool is_over(const struct meeting *meeting, unsigned held)
{
    return atomic_load_explicit(&meeting->held, memory_order_acquire) != held;
}

static void sleep_until_over(struct meeting *meeting, unsigned held)
{
    pthread_mutex_lock(&meeting->lock);
    meeting->sleeping++;
    while (!is_over(meeting, held))
        pthread_cond_wait(&meeting->over, &meeting->lock);
    meeting->sleeping--;
    pthread_mutex_unlock(&meeting->lock);
}

bool meeting_is_last(struct meeting *meeting)
{
    /* Relaxed: it changes only after this thread has arrived. */
    unsigned held = atomic_load_explicit(&meeting->held, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&meeting->arrived, 1, memory_order_acq_rel) + 1 == meeting->n)
        return true;
    for (unsigned i = 0; i < meeting->spins; i++) {
        if (is_over(meeting, held))
            return false;
        __builtin_ia32_pause();
    }
    sleep_until_over(meeting, held);
    return false;
}

void meeting_end(struct meeting *meeting)
{
    atomic_store_explicit(&meeting->arrived, 0, memory_order_relaxed);
    pthread_mutex_lock(&meeting->lock);
    atomic_fetch_add_explicit(&meeting->held, 1, memory_order_release);
    bool asleep = meeting->sleeping;
    pthread_mutex_unlock(&meeting->lock);
    if (asleep)
        pthread_cond_broadcast(&meeting->over);
}
