/* Native: after how long one processor sees what another one has written.  Two threads, each on
 * a processor, set a number by turns until SIGTERM comes, or long enough; then prints
 * nanoseconds from one to the other, which a tenth, a half and nine tenths of all blocks of
 * turns took at most. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 1000, MOST_BLOCKS = 1 << 16 };

static _Alignas(128) _Atomic unsigned turn; /* odd: the second thread's */
static volatile sig_atomic_t ended;
static double blocks[MOST_BLOCKS];
static cpu_set_t processors;

static void end(int number)
{
    (void)number;
    ended = 1;
}

static void stay_on(unsigned nth)
{
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &processors) && nth-- == 0) {
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(i, &one);
            pthread_setaffinity_np(pthread_self(), sizeof one, &one);
            return;
        }
    fputs("handover: there are no two processors\n", stderr);
    exit(1);
}

static void *second(void *unused)
{
    (void)unused;
    stay_on(1);
    for (unsigned next = 1;; next += 2) {
        while (atomic_load_explicit(&turn, memory_order_acquire) != next)
            ;
        atomic_store_explicit(&turn, next + 1, memory_order_release);
    }
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    pthread_t thread;
    size_t n = 0;
    signal(SIGTERM, end);
    if (sched_getaffinity(0, sizeof processors, &processors) < 0 ||
        pthread_create(&thread, NULL, second, NULL) != 0)
        return 1;
    stay_on(0);
    for (unsigned next = 1; n == 0 || (!ended && n < MOST_BLOCKS); n++) {
        double begin = now();
        for (unsigned i = 0; i < TURNS; i++, next += 2) {
            atomic_store_explicit(&turn, next, memory_order_release);
            while (atomic_load_explicit(&turn, memory_order_acquire) == next)
                ;
        }
        blocks[n] = (now() - begin) / (2.0 * TURNS);
    }
    qsort(blocks, n, sizeof *blocks, by_value);
    printf("%.0f %.0f %.0f\n", blocks[n / 10], blocks[n / 2], blocks[n - 1 - n / 10]);
    return 0;
}
