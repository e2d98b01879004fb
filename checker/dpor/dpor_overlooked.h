/* dpor_overlooked.h - reads that were left out, and writes that could race with them.  Internal
 * to dpor_overlooked.c, and to dpor_saved.c, which moves it to a checkpoint and back. */
#ifndef CHECKER_DPOR_OVERLOOKED_H
#define CHECKER_DPOR_OVERLOOKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A hash table of numbers by keys; key 0: the place is free. */
struct keys {
    struct number_of {
        uint64_t key;
        uint32_t number;
    } *at;
    size_t n, max;
};

struct overlooked {
    struct keys written, left_out;
    uint16_t
        *clocks; /* of each event of the execution, as those of causal.h: `stride` numbers */
    size_t stride, max_clocks;
    uint16_t
        *stores; /* of each event: how many of its thread's up to it have stored atomically */
    size_t max_stores;
    unsigned beginnings; /* how often all began again */
    bool again;          /* and is to: something was left out that should not have been */
};

#endif
