// Load buffering: not both loads see the stores that come after them.  Result:
// correct.
// Outcomes r0 r1: 00 01 10.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1;

THREAD(t0)
{
    r0 = atomic_load(&x);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    r1 = atomic_load(&y);
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 1, 10};
    run(2, t0, t1);
    outcome(10 * r0 + r1, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
