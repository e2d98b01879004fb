// Adds by compare-exchange.  Result: correct.
// -DSTALE compares with the value that was read at first, for ever: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *arg)
{
    int before = sum;
#ifdef STALE
    for (int again = before; !atomic_compare_exchange_strong(&sum, &again, before + 1);)
        again = before;
#else
    while (!atomic_compare_exchange_strong(&sum, &before, before + 1))
        ;
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
}
