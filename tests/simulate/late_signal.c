/* Ten workers wait for a start that is signalled without the lock: who has looked at the
 * flag, and does not wait yet, is never woken.
 * Result: deadlock. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

enum { WORKERS = 10 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t start = PTHREAD_COND_INITIALIZER;
static atomic_bool started;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!atomic_load(&started))
        pthread_cond_wait(&start, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    atomic_store(&started, true);
    pthread_cond_broadcast(&start);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
