// Write to read causality.  Result: correct.
// Outcomes r0 r1 r2: 000 001 100 101 111.
// -DBUG=1..5 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1, r2;

THREAD(t0)
{
    atomic_store(&x, 1);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&x);
    if (r0)
        atomic_store(&y, 1);
    return arg;
}

THREAD(t2)
{
    r1 = atomic_load(&y);
    r2 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 1, 100, 101, 111};
    run(3, t0, t1, t2);
    outcome(100 * r0 + 10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
