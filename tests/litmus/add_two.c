// Additions are not lost, and each sees another value.  Result: correct.
// Outcomes r0 r1 r2 x: 0123 0213 1203.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1, r2;

THREAD(t0)
{
    r0 = atomic_fetch_add(&x, 1);
    r1 = atomic_fetch_add(&x, 1);
    return arg;
}

THREAD(t1)
{
    r2 = atomic_fetch_add(&x, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {123, 213, 1203};
    run(2, t0, t1);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
