// Z6: three threads, two writes to x.  Result: correct.
// Outcomes r0 r1 y: 001 002 011 012 101 111 112.
// -DBUG=1..7 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y, z;
static int r0, r1;

THREAD(t0)
{
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    atomic_store(&y, 2);
    atomic_store(&z, 1);
    return arg;
}

THREAD(t2)
{
    r0 = atomic_load(&z);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 2, 11, 12, 101, 111, 112};
    run(3, t0, t1, t2);
    outcome(100 * r0 + 10 * r1 + y, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
