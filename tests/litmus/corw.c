// Coherence of a read and a write after it.  Result: correct.
// Outcomes r0 x: 01 02 21.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0;

THREAD(t0)
{
    r0 = atomic_load(&x);
    atomic_store(&x, 1);
    return arg;
}

THREAD(t1)
{
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 2, 21};
    run(2, t0, t1);
    outcome(10 * r0 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
