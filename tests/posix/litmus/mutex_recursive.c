// What a recursive mutex protects is seen when it is given back as often as it was
// taken.  Result: correct.
// Outcomes r0: 0 2.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int x, r0;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    r0 = x;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(r0, 0, 2);
    return 0;
}
