/* barrier.h - the barrier at which the workers of a search wait between levels.
 *
 * The last worker to arrive continues alone until it releases the others.  Most levels end for
 * all workers within some microseconds, less than it takes to wake a thread.  So waiting
 * workers spin for a while before they sleep, if there is a processor for each of them.
 * Everything written before the barrier is visible to all after it. */
#ifndef CHECKER_BARRIER_H
#define CHECKER_BARRIER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

struct barrier {
    unsigned n, spins;
    alignas(64) _Atomic unsigned arrived;
    _Atomic unsigned held;            /* how often it was passed */
    alignas(64) pthread_mutex_t lock; /* protects sleeping, and changes of held */
    pthread_cond_t over;
    unsigned sleeping;
};

/* Initialises a barrier for n threads. */
void barrier_init(struct barrier *barrier, unsigned n);
void barrier_fini(struct barrier *barrier);
/* Waits for all threads.  Returns true to the last one, at once; that one must call
 * barrier_open, which releases the others. */
bool barrier_is_last(struct barrier *barrier);
void barrier_open(struct barrier *barrier);

#endif
