// 2+2W: two threads write both variables in opposite orders.  Result: correct.
// Outcomes x y: 12 21 22.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;

THREAD(t0)
{
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return arg;
}

THREAD(t1)
{
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    return arg;
}

int main(void)
{
    static const int allowed[] = {12, 21, 22};
    run(2, t0, t1);
    outcome(10 * x + y, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
