// ISA2: a message through two flags.  Result: correct.
// Outcomes r0 r1 r2: 000 001 010 011 100 101 111.
// -DBUG=1..7 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y, z;
static int r0, r1, r2;

THREAD(t0)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&y);
    atomic_store(&z, 1);
    return arg;
}

THREAD(t2)
{
    r1 = atomic_load(&z);
    r2 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 1, 10, 11, 100, 101, 111};
    run(3, t0, t1, t2);
    outcome(100 * r0 + 10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
