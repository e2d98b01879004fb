// A producer and a consumer with one slot, by semaphores: what is put in is taken out.
// Result: correct.  -DBUSY polls instead of waiting: correct.  -DFORGETS gives no slot back:
// deadlock.
// Options: --fair --endless=allow --ltl='G(full -> F !full)' --always-eventually=full
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t slots, items;
static atomic_int full;

static void wait_for(sem_t *semaphore)
{
#ifdef BUSY
    while (sem_trywait(semaphore) != 0)
        ;
#else
    sem_wait(semaphore);
#endif
}

static void *consume(void *arg)
{
    for (;;) {
        wait_for(&items);
        full = 0;
#ifndef FORGETS
        sem_post(&slots);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t thread;
    sem_init(&slots, 0, 1);
    sem_init(&items, 0, 0);
    pthread_create(&thread, NULL, consume, NULL);
    for (;;) {
        wait_for(&slots);
        full = 1;
        sem_post(&items);
    }
}
