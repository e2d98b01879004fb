// Detached threads, by attribute and by call, before and after their end; their
// number and order leave nothing behind.  Result: correct.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t done;

static void *work(void *arg)
{
    (void)arg;
    sem_post(&done);
    return NULL;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;
    int state;
    sem_init(&done, 0, 0);
    pthread_attr_init(&attr);
    assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
    pthread_create(&t, &attr, work, NULL);
    pthread_attr_destroy(&attr);
    pthread_create(&t, NULL, work, NULL);
    pthread_detach(t);
    sem_wait(&done);
    sem_wait(&done);
    return 0;
}
