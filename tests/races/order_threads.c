/* Creating, ending and joining threads order those whom they are about and nobody else: a
 * thread may read older stores of one that has ended before it was made, in searches by
 * executions as well, for which the order of an end and of a creation makes no difference
 * otherwise. Result: assertion violation. -DBEFORE the first thread has a plain access before
 * its stores: assertion violation. -DAFTER after them: assertion violation. -DMAIN main has one
 * between the two creations: assertion violation. -DALL all of these: assertion violation.
 * -DFOUND the second one is made by whoever has joined the first: correct.
 * Options: --memory=c11 --search=dpor */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, ready;
static int seen, value, before, after;

static void *store(void *arg)
{
#if defined BEFORE || defined ALL
    before = 1;
#endif
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
#if defined AFTER || defined ALL
    after = 1;
#endif
    return arg;
}

static void *load(void *arg)
{
    seen = atomic_load_explicit(&ready, memory_order_relaxed);
    value = atomic_load_explicit(&data, memory_order_relaxed);
    return arg;
}

int main(void)
{
    static int between;
    pthread_t first, second;
    pthread_create(&first, NULL, store, NULL);
#if defined MAIN || defined ALL
    between = 1;
#endif
#ifdef FOUND
    pthread_join(first, NULL);
    pthread_create(&second, NULL, load, NULL);
    pthread_join(second, NULL);
    assert(seen == 1 && value == 1);
#else
    pthread_create(&second, NULL, load, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(!seen || value);
#endif
    return before + after + between > 3;
}
