// Waiting for a semaphore that nobody raises.  Result: deadlock.
// -DENOUGH it was raised often enough: correct.
// Expect: deadlock
#include <pthread.h>
#include <semaphore.h>

static sem_t tickets;

static void *work(void *arg)
{
    sem_wait(&tickets);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&tickets, 0, 1);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
#ifdef ENOUGH
    sem_post(&tickets);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&tickets);
    return 0;
}
