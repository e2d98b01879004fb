/* usage.h - time and memory that the process has used.
 *
 * Threads: all calls may run concurrently. */
#ifndef CHECKER_USAGE_H
#define CHECKER_USAGE_H

#include <stddef.h>

/* Returns seconds, from some moment on. */
double watch_now(void);
/* Returns the processor time of this thread, in seconds: others may have the processor
 * meanwhile. */
double watch_thread_time(void);
/* Returns the bytes of memory that the process has, as far as the system says; never 0. */
size_t watch_resident_bytes(void);
/* Gives memory that was freed, and that the allocator has kept, back to the system. */
void watch_purge(void);
/* Returns the bytes that malloc has given and that are not freed. */
size_t watch_allocated_bytes(void);

#endif
