/* wait.h - waiting for an atomic to change; called from libc++'s headers and
 * from atomic.cpp. */
#ifndef LIBC_CXX_WAIT_H
#define LIBC_CXX_WAIT_H

#ifdef __cplusplus
extern "C" {
#else
#include <stdbool.h>
#endif

/* Enters the kernel by a visible action; and leaves it. */
void __cxx_atomic_wait_begin(const volatile void *address);
void __cxx_atomic_wait_end(void);
/* Sleeps, from the kernel to the kernel: returns when somebody has notified. */
void __cxx_atomic_sleep(const void *address);
/* Notifies; which thread gets it is a choice. */
void __cxx_atomic_notify(const void *address, bool all);
/* Notifies all; the thread that was waited for may have ended the atomic's life before. */
void __cxx_atomic_wake_all(const void *address);

/* --clock=prompt: sleeps for that time, and returns true. */
bool __cxx_wait_limit(long long nanoseconds);

#ifdef __cplusplus
}
#endif
#endif
