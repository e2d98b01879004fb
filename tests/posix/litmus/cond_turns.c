// Two threads take turns.  Result: correct.
// Outcomes order: 1212.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    for (int k = 0; k < 2; k++) {
        while (turn != 0)
            pthread_cond_wait(&c, &m);
        see(1);
        turn = 1;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    for (int k = 0; k < 2; k++) {
        while (turn != 1)
            pthread_cond_wait(&c, &m);
        see(2);
        turn = 0;
        pthread_cond_signal(&c);
    }
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(seen, 1212);
    return 0;
}
