/* A barrier of atomics that is used again: the last one resets the count after it has let
 * the others go, so a fast thread that comes again can be counted for the last round.
 * Result: deadlock. */
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 5, ROUNDS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_ = PTHREAD_COND_INITIALIZER;
static atomic_int arrived;
static int round_;

static void barrier(void)
{
    if (atomic_fetch_add(&arrived, 1) == THREADS - 1) {
        pthread_mutex_lock(&lock);
        round_++;
        pthread_cond_broadcast(&open_);
        pthread_mutex_unlock(&lock);
        atomic_store(&arrived, 0);
        return;
    }
    pthread_mutex_lock(&lock);
    int mine = round_;
    while (round_ == mine)
        pthread_cond_wait(&open_, &lock);
    pthread_mutex_unlock(&lock);
}

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        barrier();
    return arg;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
