// A post lets one of two go on, then the next.  Result: correct.
// Outcomes order: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sem_t s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(t0)
{
    sem_wait(&s);
    see(1);
    sem_post(&s);
    return arg;
}

THREAD(t1)
{
    sem_wait(&s);
    see(2);
    sem_post(&s);
    return arg;
}

int main(void)
{
    sem_init(&s, 0, 1);
    run(2, t0, t1);
    OUTCOME(seen, 12, 21);
    return 0;
}
