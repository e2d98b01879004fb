// A signal sent to the process is taken by any thread that does not block it.
// Result: correct.  -DBUG=1..2 claims that one of them does not: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>
#ifndef BUG
#define BUG 0
#endif

static atomic_int taker;
static pthread_t first;

static void handle(int signal)
{
    (void)signal;
    taker = pthread_equal(pthread_self(), first) ? 1 : 2;
}

static void *work(void *arg)
{
    while (!taker)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    first = pthread_self();
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(t, NULL);
    assert(taker != BUG);
    return 0;
}
