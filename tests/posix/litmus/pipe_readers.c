// Two threads read a byte each.  Result: correct.
// Outcomes r0 r1: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int p[2];
static char r0, r1;

THREAD(t0)
{
    read(p[0], &r0, 1);
    return arg;
}

THREAD(t1)
{
    read(p[0], &r1, 1);
    return arg;
}

int main(void)
{
    pipe(p);
    write(p[1], "12", 2);
    run(2, t0, t1);
    OUTCOME(10 * (r0 - '0') + r1 - '0', 12, 21);
    return 0;
}
