/* Eight clients share three licences, which a semaphore counts.  One that cannot get a
 * second one in time gives back two.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { LICENCES = 3, CLIENTS = 8 };

static sem_t free_;
static atomic_int used;

static void take(void)
{
    assert(atomic_fetch_add(&used, 1) < LICENCES);
}

static void *work(void *arg)
{
    sem_wait(&free_);
    take();
    if (sem_trywait(&free_) == 0) {
        take();
        atomic_fetch_sub(&used, 1);
        sem_post(&free_);
    } else {
        sem_post(&free_); /* it has only one */
    }
    atomic_fetch_sub(&used, 1);
    sem_post(&free_);
    return arg;
}

int main(void)
{
    pthread_t thread[CLIENTS];
    sem_init(&free_, 0, LICENCES);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
