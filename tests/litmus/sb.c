// Store buffering: of two threads that store and then look at the other's
// variable, one sees the store.  Result: correct.
// Outcomes r0 r1: 01 10 11.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1;

THREAD(t0)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&y);
    return arg;
}

THREAD(t1)
{
    atomic_store(&y, 1);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 10, 11};
    run(2, t0, t1);
    outcome(10 * r0 + r1, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
