// Reads a flag that is set without order: it may read the old value for long, but not for ever.
// Result: correct.
// -DOTHER waits for the order of two flags that need not be: correct.
// -DBACK takes the flag back, so that it may be missed: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, data;

static void *set(void *arg)
{
    atomic_store_explicit(&data, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
#ifdef BACK
    atomic_store_explicit(&flag, 0, memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    while (!atomic_load_explicit(&flag, memory_order_relaxed))
        ;
#ifdef OTHER
    while (!atomic_load_explicit(&data, memory_order_relaxed))
        ;
#endif
    pthread_join(thread, NULL);
}
