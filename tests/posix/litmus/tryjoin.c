// A thread is joined at once or not yet.  Result: correct.
// Outcomes joined: 0 1.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static int r0;

THREAD(t0)
{

    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, t0, NULL);
    r0 = pthread_tryjoin_np(t, NULL) == 0;
    if (!r0)
        pthread_join(t, NULL);
    OUTCOME(r0, 0, 1);
    return 0;
}
