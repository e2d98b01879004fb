// Two semaphores let two threads take turns.  Result: correct.
// Outcomes order: 1212.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s, t;

THREAD(t0)
{
    for (int k = 0; k < 2; k++) {
        sem_wait(&s);
        see(1);
        sem_post(&t);
    }
    return arg;
}

THREAD(t1)
{
    for (int k = 0; k < 2; k++) {
        sem_wait(&t);
        see(2);
        sem_post(&s);
    }
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    sem_init(&t, 0, 0);
    run(2, t0, t1);
    OUTCOME(seen, 1212);
    return 0;
}
