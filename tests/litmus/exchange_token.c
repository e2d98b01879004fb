// A token handed around by exchanges is never in two hands.  Result: correct.
// Outcomes r0 r1 r2 x: 0010 0100 1000.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1, r2;

THREAD(t0)
{
    atomic_store(&x, 1);
    r0 = atomic_exchange(&x, 0);
    return arg;
}

THREAD(t1)
{
    r1 = atomic_exchange(&x, 0);
    return arg;
}

THREAD(t2)
{
    r2 = atomic_exchange(&x, 0);
    return arg;
}

int main(void)
{
    static const int allowed[] = {10, 100, 1000};
    run(3, t0, t1, t2);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
