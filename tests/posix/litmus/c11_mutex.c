// C11: two try for a mutex and keep it.  Result: correct.
// Outcomes r0 r1: 01 10.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static mtx_t m;
static int r0, r1;

THREAD(t0)
{
    r0 = mtx_trylock(&m) == thrd_success;
    return arg;
}

THREAD(t1)
{
    r1 = mtx_trylock(&m) == thrd_success;
    return arg;
}

int main(void)
{
    mtx_init(&m, mtx_plain);
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10);
    return 0;
}
