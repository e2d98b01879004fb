// Message passing of a plain variable: it is read only if the flag was seen.
// Result: correct.
// Outcomes r0 r1: 00 11.
// -DBUG=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int y;
static int x;
static int r0, r1;

THREAD(t0)
{
    x = 1;
    atomic_store(&y, 1);
    return arg;
}

THREAD(t1)
{
    r0 = atomic_load(&y);
    if (r0)
        r1 = x;
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 11};
    run(2, t0, t1);
    outcome(10 * r0 + r1, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
