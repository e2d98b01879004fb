// What the last steps of a process have left on its stack is no part of its end: here, whether
// a thread that could be interrupted was there when main returned. Result: correct.
#include <pthread.h>
#include <semaphore.h>

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    sem_t one;
    pthread_t first, second;
    sem_init(&one, 0, 1);
    pthread_create(&first, NULL, work, NULL);
    pthread_create(&second, NULL, work, NULL);
    sem_wait(&one);
    pthread_cancel(first);
    sem_post(&one);
}
