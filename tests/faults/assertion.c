// An assertion fails after some computing.  Result: assertion violation.
// -DTHREAD in one of two threads: assertion violation.
// -DOFF assertions are switched off: correct.
// Expect: assertion.c:@here
// Expect: sum == 44
// Expect-THREAD: assertion.c:@here
#ifdef OFF
#define NDEBUG
#endif
#include <assert.h>
#include <pthread.h>

static void *work(void *arg)
{
    int sum = 0;
    for (int k = 0; k < 10; k++)
        sum += k;
    assert(sum == 44); // @here
    (void)sum;
    return arg;
}

int main(void)
{
#ifdef THREAD
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
#else
    work(NULL);
#endif
    return 0;
}
