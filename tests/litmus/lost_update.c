// A load and a store of what was loaded may undo an addition.  Result: correct.
// Outcomes r0 r1 r2 x: 0001 0010 0012 1011 1012 2012.
// -DBUG=1..6 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1, r2;

THREAD(t0)
{
    r0 = atomic_load(&x);
    atomic_store(&x, r0);
    return arg;
}

THREAD(t1)
{
    r1 = atomic_fetch_add(&x, 1);
    r2 = atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 10, 12, 1011, 1012, 2012};
    run(2, t0, t1);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
