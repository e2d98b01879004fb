// A signal comes before or between or after the visible actions of a thread, and its
// handler may see each of its steps.  Result: correct.
// -DBUG=1..4 claims that one of the values is not seen: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#ifndef BUG
#define BUG 0
#endif

static atomic_int step, seen = -1;

static void handle(int signal)
{
    (void)signal;
    seen = step;
}

static void *work(void *arg)
{
    step = 1;
    step = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_kill(t, SIGUSR1) == 0);
    pthread_join(t, NULL);
    assert(seen >= -1 && seen <= 2);
    assert(seen + 2 != BUG);
    return 0;
}
