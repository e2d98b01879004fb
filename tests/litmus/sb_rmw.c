// Store buffering where the stores are exchanges.  Result: correct.
// Outcomes r0 r1 r2 r3: 0100 1000 1100.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1, r2, r3;

THREAD(t0)
{
    r2 = atomic_exchange(&x, 1);
    r0 = atomic_load(&y);
    return arg;
}

THREAD(t1)
{
    r3 = atomic_exchange(&y, 1);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {100, 1000, 1100};
    run(2, t0, t1);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + r3, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
