/* A cycle of seven threads, in which each gives the next one a turn twice; one of them
 * forgets a turn if it comes while it is busy.
 * Result: deadlock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { N = 7, TURNS = 2 };

static sem_t turn[N];
static atomic_int busy;
static int number[N];

static void *work(void *arg)
{
    int i = *(int *)arg;
    for (int k = 0; k < TURNS; k++) {
        sem_wait(&turn[i]);
        atomic_store(&busy, i);
        if (i != 3 || atomic_load(&busy) == i)
            sem_post(&turn[(i + 1) % N]);
    }
    return NULL;
}

static void *disturb(void *arg)
{
    for (int k = 0; k < 4; k++)
        atomic_store(&busy, N);
    return arg;
}

int main(void)
{
    pthread_t thread[N], other;
    for (int i = 0; i < N; i++) {
        number[i] = i;
        sem_init(&turn[i], 0, i == 0);
    }
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, work, &number[i]);
    pthread_create(&other, NULL, disturb, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    pthread_join(other, NULL);
    return 0;
}
