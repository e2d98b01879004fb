// Coherence of two writes by the same thread.  Result: correct.
// Outcomes r0 r1 x: 002 012 022 112 122 222.
// -DBUG=1..6 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1;

THREAD(t0)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&x);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {2, 12, 22, 112, 122, 222};
    run(2, t0, t1);
    outcome(100 * r0 + 10 * r1 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
