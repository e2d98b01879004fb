// Store buffering with a lock around each access.  Result: correct.
// Outcomes r0 r1: 01 10 11.
// -DBUG=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int x, y;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    r0 = y;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    y = 1;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    r1 = x;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    static const int allowed[] = {1, 10, 11};
    run(2, t0, t1);
    outcome(10 * r0 + r1, allowed, sizeof allowed / sizeof *allowed);
    return 0;
}
