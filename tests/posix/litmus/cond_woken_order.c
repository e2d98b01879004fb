// Two that are woken have the mutex in any order.  Result: correct.
// Outcomes order: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, waiting;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    waiting++;
    while (!go)
        pthread_cond_wait(&c, &m);
    see(1);
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    waiting++;
    while (!go)
        pthread_cond_wait(&c, &m);
    see(2);
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t2)
{
    pthread_mutex_lock(&m);
    go = 1;
    pthread_cond_broadcast(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(seen, 12, 21);
    return 0;
}
