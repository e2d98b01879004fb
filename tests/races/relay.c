// Order through a third thread: the first releases to the second, the second to the
// third.  Result: correct.
// -DSKIP the third does not wait for the second: data race.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t one, two;
static int x;

static void *first(void *arg)
{
    x = 1;
    sem_post(&one);
    return arg;
}

static void *second(void *arg)
{
    sem_wait(&one);
    sem_post(&two);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    sem_init(&one, 0, 0);
    sem_init(&two, 0, 0);
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
#ifndef SKIP
    sem_wait(&two);
#endif
    int seen = x;
    (void)seen;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
