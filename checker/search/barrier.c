/* barrier.c - see barrier.h. */
#include "barrier.h"

#include "processors.h"

/* Rounds of spinning: as long as it takes to fall asleep and to be woken, or a little more. */
enum { SPINS = 2000 };

void barrier_init(struct barrier *barrier, unsigned n)
{
    *barrier = (struct barrier){.n = n, .spins = n <= processors_count() ? SPINS : 0};
    pthread_mutex_init(&barrier->lock, NULL);
    pthread_cond_init(&barrier->over, NULL);
}

void barrier_fini(struct barrier *barrier)
{
    pthread_mutex_destroy(&barrier->lock);
    pthread_cond_destroy(&barrier->over);
}

static bool is_over(const struct barrier *barrier, unsigned held)
{
    return atomic_load_explicit(&barrier->held, memory_order_acquire) != held;
}

static void sleep_until_over(struct barrier *barrier, unsigned held)
{
    pthread_mutex_lock(&barrier->lock);
    barrier->sleeping++;
    while (!is_over(barrier, held))
        pthread_cond_wait(&barrier->over, &barrier->lock);
    barrier->sleeping--;
    pthread_mutex_unlock(&barrier->lock);
}

bool barrier_is_last(struct barrier *barrier)
{
    /* Relaxed: it changes only after this thread has arrived. */
    unsigned held = atomic_load_explicit(&barrier->held, memory_order_relaxed);
    if (atomic_fetch_add_explicit(&barrier->arrived, 1, memory_order_acq_rel) + 1 == barrier->n)
        return true;
    for (unsigned i = 0; i < barrier->spins; i++) {
        if (is_over(barrier, held))
            return false;
        __builtin_ia32_pause();
    }
    sleep_until_over(barrier, held);
    return false;
}

void barrier_open(struct barrier *barrier)
{
    atomic_store_explicit(&barrier->arrived, 0, memory_order_relaxed);
    pthread_mutex_lock(&barrier->lock);
    atomic_fetch_add_explicit(&barrier->held, 1, memory_order_release);
    bool asleep = barrier->sleeping;
    pthread_mutex_unlock(&barrier->lock);
    if (asleep)
        pthread_cond_broadcast(&barrier->over);
}
