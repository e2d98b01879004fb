/* litmus.h - small programs whose outcomes under sequential consistency are known.
 *
 * Each one asserts that its outcome, the observed values as the digits of a
 * number, is one of those allowed; -DBUG=k claims that the k-th of them does
 * not occur, which must be refuted: so exactly these outcomes are found. */
#include <assert.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef BUG
#define BUG 0
#endif

#define THREAD(name) static void *name(void *arg)

static inline int compare_exchange(atomic_int *x, int expected, int value)
{
    return atomic_compare_exchange_strong(x, &expected, value);
}

static void run(int n, ...)
{
    pthread_t thread[8];
    va_list list;
    va_start(list, n);
    for (int k = 0; k < n; k++)
        pthread_create(&thread[k], NULL, va_arg(list, void *(*)(void *)), NULL);
    va_end(list);
    for (int k = 0; k < n; k++)
        pthread_join(thread[k], NULL);
}

static void outcome(int found, const int *allowed, size_t n)
{
    size_t k = 0;
    while (k < n && allowed[k] != found)
        k++;
    assert(k < n);
    assert(k + 1 != BUG);
}
