// pthread_exit deep inside calls: clean-up handlers run in reverse order, and the
// result arrives.  Result: correct.
#include <assert.h>
#include <pthread.h>

static int order;

static void handler(void *arg)
{
    assert(order++ == *(int *)arg);
}

static void deep(int n)
{
    if (n)
        deep(n - 1);
    pthread_exit(&order);
}

static void *work(void *arg)
{
    int first = 0, second = 1, never = 99;
    (void)arg;
    pthread_cleanup_push(handler, &second);
    pthread_cleanup_push(handler, &first);
    pthread_cleanup_push(handler, &never);
    pthread_cleanup_pop(0);
    deep(3);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, &result);
    assert(result == &order && order == 2);
    return 0;
}
