// Two threads wait for two signals: each has one.  Result: correct.
// Outcomes r0 r1: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static sigset_t set;
static int r0, r1;

THREAD(t0)
{
    int signal;
    sigwait(&set, &signal);
    r0 = signal == SIGUSR1 ? 1 : 2;
    return arg;
}

THREAD(t1)
{
    int signal;
    sigwait(&set, &signal);
    r1 = signal == SIGUSR1 ? 1 : 2;
    return arg;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t t, u;
    pthread_create(&t, NULL, t0, NULL);
    pthread_create(&u, NULL, t1, NULL);
    kill(getpid(), SIGUSR1);
    kill(getpid(), SIGUSR2);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    OUTCOME(10 * r0 + r1, 12, 21);
    return 0;
}
