// Who finds it closed leaves without giving back what it has taken, and has ended when main
// spins for it alone.  Result: endless run. -DGIVEN gives it back: correct. -DCOMPARE takes it
// by a compare-exchange: endless run. -DJOINED has two threads that spin, the last of them
// alone while main joins it: endless run. -DCOUNTED counts how often it has tried, up to three:
// endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int busy, closed;

static int taken(void)
{
#ifdef COMPARE
    int none = 0;
    return !atomic_compare_exchange_strong(&busy, &none, 1);
#else
    return atomic_exchange(&busy, 1);
#endif
}

static void *visit(void *arg)
{
    while (taken())
        continue;
#ifndef GIVEN
    if (closed)
        return arg;
#endif
    busy = 0;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
#ifdef JOINED
    pthread_create(&b, NULL, visit, NULL);
#endif
    closed = 1;
#ifdef JOINED
    pthread_join(b, NULL);
#else
    (void)b;
    int tries = 0;
    while (taken())
#ifdef COUNTED
        tries = (tries + 1) % 3;
#else
        (void)tries;
#endif
    busy = 0;
#endif
    pthread_join(a, NULL);
}
