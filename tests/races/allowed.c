// With --races=allow plain accesses are sequentially consistent: one increment may
// get lost, which is then an assertion violation.  Result: assertion violation.
// -DONCE with a single increment: correct.
// Options: --races=allow
#include <assert.h>
#include <pthread.h>

static int x;

static void *work(void *arg)
{
    x++;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
#ifndef ONCE
    pthread_create(&b, NULL, work, NULL);
    pthread_join(b, NULL);
    pthread_join(a, NULL);
    assert(x == 2);
#else
    (void)b;
    int seen = x;
    assert(seen == 0 || seen == 1);
    pthread_join(a, NULL);
    assert(x == 1);
#endif
    return 0;
}
