/* mix.h - fingerprints for tests: a bijection, as good as random (splitmix64, Steele et al.
 * 2014). */
#ifndef TESTS_UNIT_MIX_H
#define TESTS_UNIT_MIX_H

#include <stdint.h>

static inline uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}

#endif
