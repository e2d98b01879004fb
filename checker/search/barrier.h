/* barrier.h - where the workers of a search meet between its levels.
 *
 * Whoever comes last goes on alone, until it lets the others go.  Most levels end within some
 * microseconds for all workers, less than it takes to wake a thread: so those that wait spin
 * for a while, if there is a processor for each of them, before they sleep.
 * What was written before a barrier is seen by all after it. */
#ifndef CHECKER_BARRIER_H
#define CHECKER_BARRIER_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

struct barrier {
    unsigned n, spins;
    alignas(64) _Atomic unsigned arrived;
    _Atomic unsigned held;            /* barriers that are over */
    alignas(64) pthread_mutex_t lock; /* protects sleeping, and who changes held has it */
    pthread_cond_t over;
    unsigned sleeping;
};

/* Of n threads. */
void barrier_init(struct barrier *barrier, unsigned n);
void barrier_fini(struct barrier *barrier);
/* Wait for all.  True for the last one, at once: it must call barrier_open, for which the
 * others wait. */
bool barrier_is_last(struct barrier *barrier);
void barrier_open(struct barrier *barrier);

#endif
