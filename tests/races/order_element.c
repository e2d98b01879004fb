// What a compare-exchange orders that expects the value of an array's element.  Result:
// correct. -DRELAXED: data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define ORDER memory_order_relaxed
#else
#define ORDER memory_order_release
#endif

static int data, want[2];
static atomic_int ready[2];

static void *write(void *arg)
{
    data = 1;
    atomic_compare_exchange_strong_explicit(&ready[1], &want[1], 1, ORDER,
                                            memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, write, NULL);
    if (atomic_load_explicit(&ready[1], memory_order_acquire))
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
