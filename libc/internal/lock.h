/* lock.h - instead of musl's: between LOCK and UNLOCK the thread is in the kernel, so
 * that what libc does there is one visible action, at which threads interleave.
 * These sections are short and wait for nothing. */
#ifndef LOCK_H
#define LOCK_H

#include <features.h>

hidden void __libc_lock(const volatile int *);
hidden void __libc_unlock(void);

#define LOCK(x) __libc_lock(x)
#define UNLOCK(x) __libc_unlock()

#endif
