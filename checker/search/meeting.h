/* meeting.h - where the workers of a search meet between its levels.
 *
 * Whoever comes last goes on alone, until it lets the others go.  Most levels end within some
 * microseconds for all workers, less than it takes to wake a thread: so those that wait spin
 * for a while, if there is a processor for each of them, before they sleep.
 * What was written before a meeting is seen by all after it. */
#ifndef CHECKER_MEETING_H
#define CHECKER_MEETING_H

#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

struct meeting {
    unsigned n, spins;
    alignas(64) _Atomic unsigned arrived;
    _Atomic unsigned held;            /* meetings that are over */
    alignas(64) pthread_mutex_t lock; /* protects sleeping, and who changes held has it */
    pthread_cond_t over;
    unsigned sleeping;
};

/* Of n threads. */
void meeting_init(struct meeting *meeting, unsigned n);
void meeting_fini(struct meeting *meeting);
/* Wait for all.  True for the last one, at once: it must call meeting_end, for which the
 * others wait. */
bool meeting_is_last(struct meeting *meeting);
void meeting_end(struct meeting *meeting);

#endif
