// A thread that has ended, and was not joined yet, happens before nothing by that.
// Result: data race.
// -DJOINED joins it first: correct.
#include <pthread.h>
#include <stdatomic.h>

static int x;
static atomic_int done;

static void *work(void *arg)
{
    x = 1;
    atomic_store_explicit(&done, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load_explicit(&done, memory_order_relaxed))
        ;
#ifdef JOINED
    pthread_join(t, NULL);
#endif
    x++;
#ifndef JOINED
    pthread_join(t, NULL);
#endif
    return 0;
}
