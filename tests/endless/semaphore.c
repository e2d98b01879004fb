// Tries to take a semaphore until it has it.  Result: correct.
// -DTAKEN: the other thread takes what it gives, if it can: endless run.
#include <pthread.h>
#include <semaphore.h>

static sem_t items;

static void *give(void *arg)
{
    sem_post(&items);
#ifdef TAKEN
    sem_trywait(&items);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, give, NULL);
    while (sem_trywait(&items) != 0)
        ;
    pthread_join(thread, NULL);
    sem_destroy(&items);
}
