// A semaphore without sem_init.  Result: pthread misuse.
// -DDESTROYED uses one that was destroyed: pthread misuse.
// -DWAITED destroys one that a thread waits for: pthread misuse.
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *work(void *arg)
{
    sem_wait(&sem);
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef DESTROYED
    sem_init(&sem, 0, 0);
    sem_destroy(&sem);
    sem_post(&sem);
#elif defined WAITED
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_destroy(&sem);
#endif
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
