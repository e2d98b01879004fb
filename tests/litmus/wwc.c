// Write to write causality.  Result: correct.
// Outcomes r0 r1 x: 001 002 011 012 101 102 201 202 211.
// -DBUG=1..9 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1;

THREAD(t0)
{
    atomic_store(&x, 2);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&x);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t2)
{
    r1 = atomic_load(&y);
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 2, 11, 12, 101, 102, 201, 202, 211};
    run(3, t0, t1, t2);
    outcome(100 * r0 + 10 * r1 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
