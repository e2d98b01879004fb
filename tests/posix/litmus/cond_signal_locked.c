// A signal under the mutex, with what is waited for: who waits finds it, or comes later,
// or ran out of time.  Result: correct.
// Outcomes r0: 0 1 2.
// -DNEVER=1..3 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int flag, r0;

THREAD(t0)
{
    pthread_mutex_lock(&m);
    if (flag)
        r0 = 1;
    else if (pthread_cond_timedwait(&c, &m, &soon) == 0)
        r0 = 2 + !flag;
    pthread_mutex_unlock(&m);
    return arg;
}

THREAD(t1)
{
    pthread_mutex_lock(&m);
    flag = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    run(2, t0, t1);
    OUTCOME(r0, 0, 1, 2);
    return 0;
}
