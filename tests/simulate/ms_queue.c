/* A queue of Michael and Scott whose enqueuer swings the tail without looking whether it
 * is still the one that it has read: the tail can go back, and a later node gets lost.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 5, NODES = THREADS + 1, NONE = -1 };

static atomic_int next[NODES], tail;
static int number[NODES];

static void *enqueue(void *arg)
{
    int node = *(int *)arg;
    atomic_store(&next[node], NONE);
    int last = atomic_load(&tail);
    atomic_store(&next[last], node); /* a compare-exchange is required */
    atomic_store(&tail, node);
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    atomic_store(&next[0], NONE);
    for (int i = 0; i < THREADS; i++) {
        number[i] = i + 1;
        pthread_create(&thread[i], NULL, enqueue, &number[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    int n = 0;
    for (int node = atomic_load(&next[0]); node != NONE; node = atomic_load(&next[node]))
        n++;
    assert(n == THREADS);
    return 0;
}
