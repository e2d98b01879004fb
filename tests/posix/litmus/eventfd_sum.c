// Two threads add to an event; who reads takes what is there.  Result: correct.
// Outcomes first second: 12 21 30.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"
#include <sys/eventfd.h>

static int e;

THREAD(t0)
{
    eventfd_write(e, 1);
    return arg;
}

THREAD(t1)
{
    eventfd_write(e, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    eventfd_t first = 0, second = 0;
    e = eventfd(0, 0);
    pthread_create(&a, NULL, t0, NULL);
    pthread_create(&b, NULL, t1, NULL);
    eventfd_read(e, &first);
    if (first < 3)
        eventfd_read(e, &second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    OUTCOME((int)(10 * first + second), 12, 21, 30);
    return 0;
}
