// One signal ends at most one of two waits.  Result: correct.
// Outcomes r0 r1: 00 01 10.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "cond_waits.h"

THREAD(t2)
{
    pthread_cond_signal(&c);
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(10 * r0 + r1, 0, 1, 10);
    return 0;
}
