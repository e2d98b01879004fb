/* divm.h - for programs of families.py that run on the host: choices are made at random, there
 * are delays between statements, and the number that a program ends with is printed. */
#ifndef DIVM_H
#define DIVM_H

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define ENDED(n) printf("ended: %u\n", (unsigned)((n) % ENDS))
#define BETWEEN divm_delay();

static __thread unsigned divm_seed;

static inline unsigned divm_random(void)
{
    if (!divm_seed) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        divm_seed = (unsigned)now.tv_nsec ^ (unsigned)(unsigned long)&now;
    }
    divm_seed = divm_seed * 1103515245U + 12345U;
    return divm_seed >> 12;
}

/* No cancellation point. */
static inline void divm_delay(void)
{
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    switch (divm_random() % 6) {
    case 0: usleep(divm_random() % 60); break;
    case 1: sched_yield(); break;
    case 2:
        for (volatile unsigned left = divm_random() % 2000; left > 0; left = left - 1) {
        }
        break;
    default: break;
    }
}

static inline int divm_choose(int n)
{
    return (int)(divm_random() % (unsigned)n);
}
static inline void divm_atomic_begin(void)
{
}
static inline void divm_atomic_end(void)
{
}

#endif
