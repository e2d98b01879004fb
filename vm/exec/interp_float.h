/* interp_float.h - floating-point numbers as the bits of a register. */
#ifndef VM_INTERP_FLOAT_H
#define VM_INTERP_FLOAT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline float as_float(uint64_t v)
{
    float f;
    uint32_t x = (uint32_t)v;
    memcpy(&f, &x, 4);
    return f;
}
static inline uint64_t of_float(float f)
{
    uint32_t x;
    memcpy(&x, &f, 4);
    return x;
}
static inline double as_double(uint64_t v)
{
    double d;
    memcpy(&d, &v, 8);
    return d;
}
static inline uint64_t of_double(double d)
{
    uint64_t x;
    memcpy(&x, &d, 8);
    return x;
}

/* LLVM's predicates: bit 0 equal, bit 1 greater, bit 2 less, bit 3 unordered. */
static inline bool float_compare(unsigned predicate, double a, double b)
{
    unsigned is = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
    return predicate & is;
}

#endif
