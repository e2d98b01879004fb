// A reader has the byte, whenever the writer closes.  Result: correct.
// Outcomes r0 r1: 10.
// -DNEVER=1 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int p[2];
static int r0, r1;

THREAD(t0)
{
    write(p[1], "1", 1);
    close(p[1]);
    return arg;
}

THREAD(t1)
{
    char c;
    r0 = (int)read(p[0], &c, 1);
    r1 = (int)read(p[0], &c, 1);
    return arg;
}

int main(void)
{
    pipe(p);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 10);
    return 0;
}
