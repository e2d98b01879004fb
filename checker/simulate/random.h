/* random.h - random numbers for one run, determined by a seed and the number of the run.
 *
 * SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA
 * 2014): a counter and a mixing function.  It passes the usual tests, and runs with
 * neighbouring numbers begin at unrelated places of its sequence. */
#ifndef CHECKER_RANDOM_H
#define CHECKER_RANDOM_H

#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_mix(uint64_t z)
{
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static inline uint64_t random_next(struct random *random)
{
    return random_mix(random->state += 0x9e3779b97f4a7c15);
}

static inline struct random random_seeded(uint64_t seed, uint64_t index)
{
    struct random first = {seed};
    return (struct random){random_next(&first) ^ random_mix(index + 0x9e3779b97f4a7c15)};
}

/* Returns a number from 0 to n-1, n > 0: each with the same probability, but for one part in
 * 2^64 / n. */
static inline uint64_t random_below(struct random *random, uint64_t n)
{
    return (uint64_t)((unsigned __int128)random_next(random) * n >> 64);
}

#endif
