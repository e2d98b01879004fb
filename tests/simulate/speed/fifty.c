/* Three threads with sixteen visible actions each, to measure how fast runs are.
 * Result: correct. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 3, ROUNDS = 8 };

static atomic_int sum, last;

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        atomic_fetch_add(&sum, 1);
        atomic_store(&last, i);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&sum) == THREADS * ROUNDS);
    return 0;
}
