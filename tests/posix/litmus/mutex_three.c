// Three threads have a mutex in any order.  Result: correct.
// Outcomes order: 123 132 213 231 312 321.
// -DNEVER=1..6 claims that one of them does not occur: assertion violation.
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

THREAD(t2)
{
    pthread_mutex_lock(&m);
    see(3);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(3, t0, t1, t2);
    OUTCOME(seen, 123, 132, 213, 231, 312, 321);
    return 0;
}
