// A program that ends while a thread still runs, or after it: in one case the thread still has
// what it allocated, in the other it is lost.  Main goes on for as long as it can, so that this
// is the second case.  Result: memory error.
// -DFREE frees it: correct.
// Expect: 7 bytes were not freed
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static sem_t ready, go;
static atomic_int done;

static void *work(void *arg)
{
    char *text = malloc(7);
    text[0] = 0;
    sem_post(&ready);
    sem_wait(&go);
    atomic_store(&done, text[0] + 1);
#ifdef FREE
    free(text);
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread;
    sem_init(&ready, 0, 0);
    sem_init(&go, 0, 0);
    pthread_create(&thread, NULL, work, NULL);
    sem_wait(&ready);
    sem_post(&go);
    return 0;
}
