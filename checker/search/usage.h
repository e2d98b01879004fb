/* usage.h - what the process has used of time and memory.
 *
 * Threads: all calls may run concurrently. */
#ifndef CHECKER_USAGE_H
#define CHECKER_USAGE_H

#include <stddef.h>

/* Seconds, from some moment on. */
double watch_now(void);
/* Of the process: what it has, as far as it can be told; never 0. */
size_t watch_resident_bytes(void);
/* What the allocator has kept of freed memory goes back. */
void watch_purge(void);
/* What malloc has given. */
size_t watch_allocated_bytes(void);

#endif
