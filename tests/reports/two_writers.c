// Two threads store both variables, each in another order: the first store of either may end up
// as the last one in modification order, which no order of execution shows.
// Result: assertion violation.
// Learned: which store comes later although it was executed earlier, whose it is, and where.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void put(atomic_int *place, int value)
{
    atomic_store_explicit(place, value, memory_order_release);
}

static void *forwards(void *arg)
{
    put(&left, 1);
    put(&right, 2);
    return arg;
}

static void *backwards(void *arg)
{
    put(&right, 1);
    put(&left, 2);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, forwards, 0);
    pthread_create(&b, 0, backwards, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(left != 1 || right != 1);
    return 0;
}
