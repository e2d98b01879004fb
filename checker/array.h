/* array.h - growing an array of the checker's bookkeeping.  Where there is no memory for it the
 * thread never comes back (struct vm_relief). */
#ifndef CHECKER_ARRAY_H
#define CHECKER_ARRAY_H

#include <stddef.h>
#include <stdlib.h>

#include "checker/search/check.h"

/* Makes room for one more element behind n of max; returns the array, maybe moved. */
static inline void *array_grow(void *array, size_t n, size_t *max, size_t size)
{
    if (n < *max)
        return array;
    size_t more = *max ? 2 * *max : 16;
    array = reallocarray(array, more, size);
    if (!array)
        vm_exhausted();
    *max = more;
    return array;
}

/* Returns a new array of n zeros. */
static inline void *array_zeroed(size_t n, size_t size)
{
    void *array = calloc(n ? n : 1, size);
    if (!array)
        vm_exhausted();
    return array;
}

#define ARRAY_PUSH(array, n, max, ...)                               \
    do {                                                             \
        (array) = array_grow((array), (n), &(max), sizeof *(array)); \
        (array)[(n)++] = __VA_ARGS__;                                \
    } while (0)

#endif
