// Time may be over before the signal comes, or not; the flag may be set even so.  Result:
// correct.
// Outcomes timed out, flag: 01 10 11.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, r0, r1;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    while (!flag && !r0)
        r0 = pthread_cond_timedwait(&c, &m, &soon) == ETIMEDOUT;
    r1 = flag;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(10 * r0 + r1, 1, 10, 11);
    return 0;
}
