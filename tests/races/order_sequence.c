// A release sequence goes on with read-modify-writes of any thread and any order: who reads
// from the last of them knows what the first store published (C11 5.1.2.4).  Result: correct.
// -DSTORE has a relaxed store of another thread instead, which ends it: data race.
// -DOWN_STORE has one of the same thread, which C++20 has ending it as well: data race.
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int place;

static void *first(void *arg)
{
    message = 1;
    atomic_store_explicit(&place, 1, memory_order_release);
#ifdef OWN_STORE
    atomic_store_explicit(&place, 2, memory_order_relaxed);
#endif
    return arg;
}

static void *second(void *arg)
{
#ifdef STORE
    if (atomic_load_explicit(&place, memory_order_relaxed) == 1)
        atomic_store_explicit(&place, 2, memory_order_relaxed);
#elif !defined OWN_STORE
    int one = 1;
    atomic_compare_exchange_strong_explicit(&place, &one, 2, memory_order_relaxed,
                                            memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    if (atomic_load_explicit(&place, memory_order_acquire) == 2)
        message = 2;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
