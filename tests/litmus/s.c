// S: two writes by one thread, a read and a write by the other.  Result: correct.
// Outcomes r0 x: 01 02 11.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0;

THREAD(t0)
{
    atomic_store(&x, 2);
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&y);
    atomic_store(&x, 1);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 2, 11};
    run(2, t0, t1);
    outcome(10 * r0 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
