// A reader sees two writes in one order, which is that of the end.  Result:
// correct.
// Outcomes r0 r1 x: 001 002 011 012 021 022 111 112 122 211 221 222.
// -DBUG=1..12 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1;

THREAD(t0)
{
    atomic_store(&x, 1);
    return arg;
}

THREAD(t1)
{
    atomic_store(&x, 2);
    return arg;
}

THREAD(t2)
{
    r0 = atomic_load(&x);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 2, 11, 12, 21, 22, 111, 112, 122, 211, 221, 222};
    run(3, t0, t1, t2);
    outcome(100 * r0 + 10 * r1 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
