// Either thread may be the one that runs the function; it runs once.  Result: correct.
// Outcomes who: 1 2.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int me;

static void note(void)
{
    see(me);
}

THREAD(t0)
{
    me = 1;
    pthread_once(&once, note);
    return arg;
}

THREAD(t1)
{
    me = 2;
    pthread_once(&once, note);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(seen, 1, 2);
    return 0;
}
