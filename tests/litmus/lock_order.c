// Three critical sections come one after the other, in any order.  Result:
// correct.
// Outcomes r0 r1 r2 x: 0123 0312 2013 2301 3021 3102.
// -DBUG=1..6 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r0, r1, r2;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    r0 = x;
    x = 1;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    r1 = x;
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t2)
{
    pthread_mutex_lock(&m);
    r2 = x;
    x = 3;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    static const int allowed[] = {123, 312, 2013, 2301, 3021, 3102};
    run(3, t0, t1, t2);
    outcome(1000 * r0 + 100 * r1 + 10 * r2 + x, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
