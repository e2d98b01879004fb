// Who joins sees what the joined thread has done, also by way of another.  Result: correct.
// Outcomes x: 3.
// -DNEVER=1 claims that it does not occur: assertion violation.
#include "litmus.h"

static int x;

THREAD(t0)
{
    x++;
    return arg;
}

THREAD(t1)
{
    pthread_t t;
    pthread_create(&t, NULL, t0, NULL);
    pthread_join(t, NULL);
    x++;
    return arg;
}

int main(void)
{
    run(1, t1);
    x++;
    OUTCOME(x, 3);
    return 0;
}
