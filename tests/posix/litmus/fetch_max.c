// Two threads raise a number to their own with compare-exchange: the greater one stays,
// and who saw the other's is second.  Result: correct.
// Outcomes r0 r1: 01 20.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static atomic_int x;
static int r0, r1;

static int raise_to(int value)
{
    int seen_value = 0;
    while (seen_value < value && !atomic_compare_exchange_strong(&x, &seen_value, value))
        ;
    return seen_value;
}

THREAD(t0)
{
    r0 = raise_to(1);
    return arg;
}

THREAD(t1)
{
    r1 = raise_to(2);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    assert(x == 2);
    OUTCOME(10 * r0 + r1, 1, 20);
    return 0;
}
