/* usage.h - what the process has used of time and memory.
 *
 * Threads: all calls may run concurrently. */
#ifndef CHECKER_USAGE_H
#define CHECKER_USAGE_H

#include <stddef.h>

/* Seconds, from some moment on. */
double watch_now(void);
/* The bytes of memory that the process has, as far as the system says; never 0. */
size_t watch_resident_bytes(void);
/* Gives memory that was freed, and that the allocator has kept, back to the system. */
void watch_purge(void);
/* The bytes that malloc has given and that are not freed. */
size_t watch_allocated_bytes(void);

#endif
