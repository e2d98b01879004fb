/* dpor_retry.h - threads that only try again.  Internal to dpor_retry.c, and to dpor_saved.c,
 * which moves it to a checkpoint and back. */
#ifndef CHECKER_DPOR_RETRY_H
#define CHECKER_DPOR_RETRY_H

#include "dpor_tree.h"

enum { PLACES = 4096 };

/* Reads by which a thread has come from one own state to another. */
struct known {
    uint64_t key[2]; /* of both states */
    uint64_t whats;  /* a bit for each of 64 classes of what is read */
    uint32_t reads, n;
    uint32_t before;  /* an older one of the same states, and one; 0: there is none */
    uint32_t checked; /* none of so many that are known is a part of this one, and would do */
};

/* Places by the bits of a hash: two that share a bit cost some time. */
struct places {
    uint64_t bits[PLACES / 64];
};

/* The own state of a thread that has done nothing yet. */
struct born {
    uint64_t state[2];
    bool known;
};

struct retries {
    struct places again, origins;
    struct born *born; /* by the numbers of threads */
    size_t nborn, max_born;
    struct born next; /* of the thread that is chosen */
    struct known *known;
    size_t nknown, max_known;
    /* Hash tables: a place in `known`, and one; 0: it is free. */
    uint32_t *by_key;   /* the latest one of both states */
    uint32_t *by_reads; /* one of both states and these reads */
    size_t max_slots;   /* of each */
    struct read *reads;
    size_t nreads, max_reads;
};

#endif
