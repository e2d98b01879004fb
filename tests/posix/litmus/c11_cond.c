// C11: a signal ends the wait, or it comes too early, or time is over.  Result: correct.
// Outcomes r0: 0 1 2.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static mtx_t m;
static cnd_t c;
static int flag, r0;

THREAD(t0)
{
    mtx_lock(&m);
    if (flag)
        r0 = 1;
    else if (cnd_timedwait(&c, &m, &soon) == thrd_success)
        r0 = 2;
    mtx_unlock(&m);
    return arg;
}

THREAD(t1)
{
    mtx_lock(&m);
    flag = 1;
    cnd_signal(&c);
    mtx_unlock(&m);
    return arg;
}

int main(void)
{
    mtx_init(&m, mtx_timed);
    cnd_init(&c);
    run(2, t0, t1);
    OUTCOME(r0, 0, 1, 2);
    return 0;
}
