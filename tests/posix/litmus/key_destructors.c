// The destructors of two threads run in any order, before they are joined.  Result:
// correct.
// Outcomes order: 12 21.
// -DNEVER=1..2 claims that one of them does not occur: assertion violation.
#include "litmus.h"

static pthread_key_t key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void note(void *value)
{
    pthread_mutex_lock(&m);
    see((int)(intptr_t)value);
    pthread_mutex_unlock(&m);
}

THREAD(t0)
{
    pthread_setspecific(key, (void *)1);
    return arg;
}

THREAD(t1)
{
    pthread_setspecific(key, (void *)2);
    return arg;
}

int main(void)
{
    pthread_key_create(&key, note);
    run(2, t0, t1);
    OUTCOME(seen, 12, 21);
    return 0;
}
