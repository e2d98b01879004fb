// What the function did is seen by all who come back.  Result: correct.
// Outcomes r0 r1: 11.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int x, r0, r1;

static void set(void)
{
    x = 1;
}

THREAD(t0)
{
    pthread_once(&once, set);
    r0 = x;
    return arg;
}

THREAD(t1)
{
    pthread_once(&once, set);
    r1 = x;
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 11);
    return 0;
}
