// A signal that is blocked waits until it is let through.  Result: correct.
// Outcomes r0: 1 2 9.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0 = 9;

static void handle(int signal)
{
    (void)signal;
    r0 = x;
}

THREAD(t0)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    x = 1;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    x = 2;
    return arg;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handle);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t t;
    pthread_create(&t, NULL, t0, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    OUTCOME(r0, 1, 2, 9);
    return 0;
}
