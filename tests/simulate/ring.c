/* A ring for several producers: one reserves a slot, fills it, and publishes all slots up
 * to its own, although those before it need not be filled yet.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { SLOTS = 8, PRODUCERS = 6 };

static atomic_int reserved, published, slot[SLOTS];

static void *produce(void *arg)
{
    int mine = atomic_fetch_add(&reserved, 1);
    atomic_store(&slot[mine], mine + 1);
    int seen = atomic_load(&published);
    while (seen <= mine && !atomic_compare_exchange_weak(&published, &seen, mine + 1))
        ;
    return arg;
}

static void *consume(void *arg)
{
    for (int next = 0; next < atomic_load(&published); next++)
        assert(atomic_load(&slot[next]) == next + 1);
    return arg;
}

int main(void)
{
    pthread_t thread[PRODUCERS], consumer;
    for (int i = 0; i < PRODUCERS; i++)
        pthread_create(&thread[i], NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    for (int i = 0; i < PRODUCERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(consumer, NULL);
    return 0;
}
