// A mutex is had in any order.  Result: correct.
// Outcomes order: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    see(1);
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    see(2);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(seen, 12, 21);
    return 0;
}
