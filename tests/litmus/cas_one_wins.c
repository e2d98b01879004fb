// Of three compare-exchanges with the same expectation one succeeds.  Result:
// correct.
// Outcomes r0 r1 r2 x: 0013 0102 1001.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1, r2;

THREAD(t0)
{
    r0 = compare_exchange(&x, 0, 1);
    return arg;
}

THREAD(t1)
{
    r1 = compare_exchange(&x, 0, 2);
    return arg;
}

THREAD(t2)
{
    r2 = compare_exchange(&x, 0, 3);
    return arg;
}

int main(void)
{
    static const int allowed[] = {13, 102, 1001};
    run(3, t0, t1, t2);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
