// A thread that waits for a semaphore has it, or is cancelled and has not.  Result:
// correct.
// Outcomes cancelled value: 00 11.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static int r0, r1;

THREAD(t0)
{
    sem_wait(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 0);
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, t0, NULL);
    sem_post(&s);
    pthread_cancel(t);
    pthread_join(t, &result);
    r0 = result == PTHREAD_CANCELED;
    sem_getvalue(&s, &r1);
    OUTCOME(10 * r0 + r1, 0, 11);
    return 0;
}
