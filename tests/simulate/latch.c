/* A latch of eight that counts down by a compare-exchange which is not tried again, where
 * it has failed twice: somebody's arrival is lost.
 * Result: deadlock. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t zero = PTHREAD_COND_INITIALIZER;
static atomic_int left = THREADS;

static void *arrive(void *arg)
{
    int seen = atomic_load(&left), tries = 3;
    while (tries-- && !atomic_compare_exchange_strong(&left, &seen, seen - 1))
        ;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&zero);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, arrive, NULL);
    pthread_mutex_lock(&lock);
    while (atomic_load(&left))
        pthread_cond_wait(&zero, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
