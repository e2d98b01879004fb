// A C11 mutex with a time limit: the lock is got, or time is over while it is held.
// Result: correct.
// Outcomes r0 x: 01 12.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static mtx_t m;
static int x, r0;

THREAD(t0)
{
    mtx_lock(&m);
    x = 1;
    mtx_unlock(&m);
    return arg;
}

THREAD(t1)
{
    r0 = mtx_timedlock(&m, &soon) == thrd_success;
    if (r0) {
        x = 2 - x;
        mtx_unlock(&m);
    }
    return arg;
}

int main(void)
{
    mtx_init(&m, mtx_timed);
    run(2, t0, t1);
    OUTCOME(10 * r0 + (r0 ? 2 : x), 1, 12);
    return 0;
}
