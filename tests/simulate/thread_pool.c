/* A pool of four workers for sixteen tasks.  Whoever submits a task looks whether a worker
 * sleeps before it adds the task, and wakes one only then: a task can be left though all
 * sleep.
 * Result: deadlock. */
#include <pthread.h>

enum { WORKERS = 4, TASKS = 16 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t work = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static int queued, sleeping, done;

static void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    while (done < TASKS) {
        while (queued == 0 && done < TASKS) {
            sleeping++;
            pthread_cond_wait(&work, &lock);
            sleeping--;
        }
        if (done == TASKS)
            break;
        queued--;
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
        if (++done == TASKS) {
            pthread_cond_broadcast(&work);
            pthread_cond_signal(&idle);
        }
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

static void submit(void)
{
    pthread_mutex_lock(&lock);
    int wake = sleeping;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    queued++;
    if (wake)
        pthread_cond_signal(&work);
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    for (int i = 0; i < TASKS; i++)
        submit();
    pthread_mutex_lock(&lock);
    while (done < TASKS)
        pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
