// A lock made of atomic_flag_test_and_set: who fails does not enter.  Result: correct.
// Outcomes entered: 10 01 11.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_flag f = ATOMIC_FLAG_INIT;
static int r0, r1;

static int enter(void)
{
    if (atomic_flag_test_and_set(&f))
        return 0;
    atomic_flag_clear(&f);
    return 1;
}

THREAD(t0)
{
    r0 = enter();
    return arg;
}

THREAD(t1)
{
    r1 = enter();
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 10, 1, 11);
    return 0;
}
