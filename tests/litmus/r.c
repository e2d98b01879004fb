// R: a write and a later read by one thread, two writes by the other.  Result:
// correct.
// Outcomes r0 y: 01 11 12.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0;

THREAD(t0)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    atomic_store(&y, 2);
    r0 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 11, 12};
    run(2, t0, t1);
    outcome(10 * r0 + y, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
