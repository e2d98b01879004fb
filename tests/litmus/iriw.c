// Independent reads of independent writes: the two readers agree on the order.
// Result: correct.
// Outcomes r0 r1 r2 r3: 0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1011
// 1100 1101 1110 1111.
// -DBUG=1..15 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1, r2, r3;

THREAD(t0)
{
    atomic_store(&x, 1);
    return arg;
}

THREAD(t1)
{
    atomic_store(&y, 1);
    return arg;
}

THREAD(t2)
{
    r0 = atomic_load(&x);
    r1 = atomic_load(&y);
    return arg;
}

THREAD(t3)
{
    r2 = atomic_load(&y);
    r3 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {
        0, 1, 10, 11, 100, 101, 110, 111, 1000, 1001, 1011, 1100, 1101, 1110, 1111,
    };
    run(4, t0, t1, t2, t3);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + r3, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
