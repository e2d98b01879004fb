// Any thread that accepts it takes a signal to the process, once.  Result: correct.
// Outcomes taker: 1 2 3.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int taker;
static _Thread_local int me;

static void handle(int signal)
{
    (void)signal;
    see(me ? me : 9);
    taker = 1;
}

THREAD(t0)
{
    me = 1;
    while (!taker)
        ;
    return arg;
}

THREAD(t1)
{
    me = 2;
    while (!taker)
        ;
    return arg;
}

int main(void)
{
    me = 3;
    signal(SIGUSR1, handle);
    pthread_t t, u;
    pthread_create(&t, NULL, t0, NULL);
    pthread_create(&u, NULL, t1, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    OUTCOME(seen, 1, 2, 3);
    return 0;
}
