// A thread that only computes is cancelled asynchronously while its handler may run.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int handled, turns;

static void handle(int signal)
{
    (void)signal;
    handled = 1;
}

static void *work(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        turns ^= 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    signal(SIGUSR1, handle);
    pthread_create(&t, NULL, work, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
