/* litmus.h - small programs of two or three threads whose outcomes are known.
 *
 * Each asserts that its outcome, a number whose digits are what the threads saw, is
 * one of those allowed; -DNEVER=k claims that the k-th of them does not occur, which
 * must be refuted: so exactly these outcomes are found. */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#ifndef NEVER
#define NEVER 0
#endif

#define THREAD(name) static void *name(void *arg)

static const struct timespec soon __attribute__((unused)) = {1, 0};

/* Runs the threads and gives them back joined. */
__attribute__((unused)) static void run(int n, ...)
{
    pthread_t thread[4];
    va_list list;
    va_start(list, n);
    for (int k = 0; k < n; k++)
        pthread_create(&thread[k], NULL, va_arg(list, void *(*)(void *)), NULL);
    va_end(list);
    for (int k = 0; k < n; k++)
        pthread_join(thread[k], NULL);
}

/* The digits so far, and one more; what calls it orders the calls. */
static int seen;
__attribute__((unused)) static void see(int digit)
{
    seen = 10 * seen + digit;
}

static void outcome(int found, const int *allowed, size_t n)
{
    size_t k = 0;
    while (k < n && allowed[k] != found)
        k++;
    assert(k < n);
    assert(k + 1 != NEVER);
}

#define OUTCOME(found, ...)                                        \
    do {                                                           \
        static const int allowed[] = {__VA_ARGS__};                \
        outcome(found, allowed, sizeof allowed / sizeof *allowed); \
    } while (0)
