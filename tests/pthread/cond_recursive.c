// Result: deadlock.
// A recursive mutex that was locked twice is unlocked once while its thread waits, and so stays
// locked: who would say that the thread may go on cannot lock it.
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t said = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    while (!ready)
        pthread_cond_wait(&said, &mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_unlock(&mutex);
    return arg;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_t thread;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attr);
    pthread_create(&thread, NULL, wait_for_it, NULL);
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&said);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
}
