/* A service is stopped by a thread that joins the worker while it holds the lock that the
 * worker needs for what is still in the queue.
 * Result: deadlock. */
#include <pthread.h>

enum { JOBS = 6, CLIENTS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int jobs, stopped;
static pthread_t worker;

static void *work(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (!jobs && !stopped)
            pthread_cond_wait(&filled, &lock);
        int some = jobs;
        jobs = 0;
        pthread_mutex_unlock(&lock);
        if (!some)
            return arg;
    }
}

static void *submit(void *arg)
{
    for (int i = 0; i < JOBS / CLIENTS; i++) {
        pthread_mutex_lock(&lock);
        jobs++;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void stop(void)
{
    pthread_mutex_lock(&lock);
    stopped = 1;
    pthread_cond_signal(&filled);
    int some = jobs;
    if (some) /* only the worker has to empty it */
        pthread_join(worker, NULL);
    pthread_mutex_unlock(&lock);
    if (!some)
        pthread_join(worker, NULL);
}

int main(void)
{
    pthread_t client[CLIENTS];
    pthread_create(&worker, NULL, work, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&client[i], NULL, submit, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client[i], NULL);
    stop();
    return 0;
}
