// Compare-exchanges that build on each other.  Result: correct.
// Outcomes r0 r1 r2 x: 1001 1012 1113.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1, r2;

THREAD(t0)
{
    r0 = compare_exchange(&x, 0, 1);
    r1 = compare_exchange(&x, 2, 3);
    return arg;
}

THREAD(t1)
{
    r2 = compare_exchange(&x, 1, 2);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1001, 1012, 1113};
    run(2, t0, t1);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
