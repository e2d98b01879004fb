// atexit handlers run in reverse order, also when another thread is still there.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int order;
static atomic_int never;

static void last(void)
{
    assert(order == 1);
}

static void first(void)
{
    order++;
}

static void *work(void *arg)
{
    atomic_store(&never, 1);
    return arg;
}

int main(void)
{
    pthread_t t;
    atexit(last);
    atexit(first);
    pthread_create(&t, NULL, work, NULL);
    return 0;
}
