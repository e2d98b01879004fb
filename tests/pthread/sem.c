// A semaphore lets two of three threads in.  Result: correct.
// -DBUG lets all in: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t room;
static atomic_int inside;

static void *work(void *arg)
{
    sem_wait(&room);
    assert(++inside <= 2);
    inside--;
    sem_post(&room);
    return arg;
}

int main(void)
{
    pthread_t t[2];
#ifdef BUG
    sem_init(&room, 0, 3);
#else
    sem_init(&room, 0, 2);
#endif
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    work(NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    sem_destroy(&room);
    return 0;
}
