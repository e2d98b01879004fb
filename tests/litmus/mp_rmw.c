// Message passing where the flag is raised and looked at by additions.  Result:
// correct.
// Outcomes r0 r1 r2: 000 010 110.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x, y;
static int r0, r1, r2;

THREAD(t0)
{
    atomic_store(&x, 1);
    r2 = atomic_fetch_add(&y, 1);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_fetch_add(&y, 0);
    r1 = atomic_load(&x);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 10, 110};
    run(2, t0, t1);
    outcome(100 * r0 + 10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
