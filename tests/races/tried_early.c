// A thread writes plainly to a variable, fails to exchange another one, and writes again. Its
// second write comes after another thread's, which it has acquired by then; its first one races
// with that. Result: data race. -DFIRST_READS acquires before it writes at first: correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top;
static int shared;

static void *push(void *arg)
{
    int old = atomic_load_explicit(&top, memory_order_acquire);
#ifdef FIRST_READS
    if (!old)
        return arg;
#endif
    do
        shared = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, old + 1, memory_order_acq_rel,
                                                    memory_order_acquire));
    return arg;
}

static void *store(void *arg)
{
    shared = 7;
    atomic_store_explicit(&top, 10, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t pushes, stores;
    pthread_create(&pushes, NULL, push, NULL);
    pthread_create(&stores, NULL, store, NULL);
    pthread_join(pushes, NULL);
    pthread_join(stores, NULL);
    return 0;
}
