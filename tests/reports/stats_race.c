// Each worker counts what it has done under the lock of the pool, but the monitor reads
// the counter without it.  Result: data race.
// Learned: which two lines touch pool.done, in which threads, and that only one holds the lock.
#include <pthread.h>

struct pool {
    pthread_mutex_t lock;
    long submitted, done;
};

static struct pool pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void finish_job(void)
{
    pthread_mutex_lock(&pool.lock);
    pool.done++;
    pthread_mutex_unlock(&pool.lock);
}

static void *worker(void *arg)
{
    finish_job();
    return arg;
}

static void *monitor(void *arg)
{
    if (pool.done > pool.submitted)
        return NULL;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    pool.submitted = 1;
    pthread_create(&threads[0], NULL, worker, NULL);
    pthread_create(&threads[1], NULL, monitor, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
