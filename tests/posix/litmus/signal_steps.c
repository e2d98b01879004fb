// A handler sees any step of its thread, or the thread has ended before.  Result:
// correct.
// Outcomes r0: 0 1 2 9.
// -DNEVER=1..4 claims that one of them does not occur: assertion violation.
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
    x = 1;
    x = 2;
    return arg;
}

int main(void)
{
    signal(SIGUSR1, handle);
    pthread_t t;
    pthread_create(&t, NULL, t0, NULL);
    pthread_kill(t, SIGUSR1);
    pthread_join(t, NULL);
    OUTCOME(r0, 0, 1, 2, 9);
    return 0;
}
