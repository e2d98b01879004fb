/* pthread_impl.h - instead of musl's: what libc itself keeps for each thread.
 * Threads are libpthread's, which has a structure of its own; this one is a
 * thread-local variable, so every thread has it and no one need set it up. */
#ifndef _PTHREAD_IMPL_H
#define _PTHREAD_IMPL_H

#include "atomic.h"
#include "futex.h"
#include "libc.h"
#include "syscall.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#define pthread __pthread

struct pthread {
    locale_t locale;
    int errno_val;
    int h_errno_val;
};

extern hidden _Thread_local struct pthread __libc_self;
#define __pthread_self() (&__libc_self)

#define SIGALL_SET ((sigset_t *)(const unsigned long long[2]){-1, -1})
#define SIGPT_SET ((sigset_t *)(const unsigned long[_NSIG / 8 / sizeof(long)]){3UL << 32})

hidden int __libc_sigaction(int, const struct sigaction *, struct sigaction *);
extern hidden volatile int __eintr_valid_flag;
extern hidden volatile int __abort_lock[1];
hidden void __testcancel(void);

#endif
