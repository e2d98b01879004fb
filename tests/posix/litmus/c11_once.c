// C11: either thread runs the function.  Result: correct.
// Outcomes who: 1 2.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static once_flag once = ONCE_FLAG_INIT;
static thread_local int me;

static void note(void)
{
    see(me);
}

THREAD(t0)
{
    me = 1;
    call_once(&once, note);
    return arg;
}

THREAD(t1)
{
    me = 2;
    call_once(&once, note);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(seen, 1, 2);
    return 0;
}
