/* algorithm.h - what the lock-free algorithms of this folder share.
 *
 * Each has its memory orders as macros ORDER_1, ORDER_2, ..., the weakest that are right; a
 * mutant (mutants.py) gives one of them a weaker value.  The comment behind an order begins
 * with what has it: load, store, rmw or fence. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define RELAXED memory_order_relaxed
#define LOAD(x, order) atomic_load_explicit(&(x), order)
#define STORE(x, value, order) atomic_store_explicit(&(x), value, order)
#define ADD(x, value, order) atomic_fetch_add_explicit(&(x), value, order)
#define EXCHANGE(x, value, order) atomic_exchange_explicit(&(x), value, order)
#define CAS(x, expected, value, order, failure) \
    atomic_compare_exchange_strong_explicit(&(x), expected, value, order, failure)

/* Runs n threads, each with its number as argument, and waits for them. */
static inline void run(int n, void *(*const *body)(void *))
{
    pthread_t thread[4];
    for (int k = 0; k < n; k++)
        pthread_create(&thread[k], NULL, body[k], (void *)(intptr_t)k);
    for (int k = 0; k < n; k++)
        pthread_join(thread[k], NULL);
}
