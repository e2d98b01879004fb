// A request to cancel waits for a cancellation point; clean-up handlers run, last
// first.  Result: correct.
// -DBUG takes the result for that of the function: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int steps;
static int order;

static void clean(void *arg)
{
    order = 10 * order + (int)(long)arg;
}

static void *work(void *arg)
{
    pthread_cleanup_push(clean, (void *)1);
    pthread_cleanup_push(clean, (void *)2);
    for (;;) {
        steps = 1;
        steps = 2;
        pthread_testcancel();
    }
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    assert(pthread_cancel(t) == 0);
    assert(pthread_join(t, &result) == 0);
#ifdef BUG
    assert(result == NULL);
#endif
    assert(result == PTHREAD_CANCELED);
    assert(order == 21 && steps == 2);
    return 0;
}
