// A compare-exchange that fails has the order of a load.  Result: correct.
// -DRELAXED gives it none: data race.
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define FAILURE memory_order_relaxed
#else
#define FAILURE memory_order_acquire
#endif

static int message;
static atomic_int flag;

static void *writer(void *arg)
{
    message = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    int none = 0;
    pthread_create(&t, NULL, writer, NULL);
    if (!atomic_compare_exchange_strong_explicit(&flag, &none, 2, memory_order_acq_rel,
                                                 FAILURE))
        message = 2;
    pthread_join(t, NULL);
    return 0;
}
