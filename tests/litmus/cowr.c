// A thread sees its own write or a newer one.  Result: correct.
// Outcomes r0 x: 11 12 22.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0;

THREAD(t0)
{
    atomic_store(&x, 1);
    r0 = atomic_load(&x);
    return arg;
}

THREAD(t1)
{
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    static const int allowed[] = {11, 12, 22};
    run(2, t0, t1);
    outcome(10 * r0 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
