/* random.h - random numbers: one sequence for all who ask, the same in every run. */
#ifndef OS_RANDOM_H
#define OS_RANDOM_H

#include "os/state.h"

/* random.c.  os_random: takes the place of the next bytes, in the kernel.  os_random_fill:
 * writes these bytes, in any mode. */
uint32_t os_random(size_t size);
void os_random_fill(uint32_t place, unsigned char *bytes, size_t size);

#endif
