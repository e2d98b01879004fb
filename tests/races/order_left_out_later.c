// As order_left_out.c, but the thread that writes what was read has stored the pointer first:
// the read depends on that store, and the write comes after it. Result: data race. -DORDERED
// passes the message on by release and acquire: correct.
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDERED
#define GIVES memory_order_release
#define TAKES memory_order_acquire
#else
#define GIVES memory_order_relaxed
#define TAKES memory_order_relaxed
#endif

static int first = 1, second = 1;
static _Atomic(int *) top;
static atomic_int done, ready, flag;
static int sum;

static void *take(void *arg)
{
    int *old = atomic_load_explicit(&top, memory_order_acquire);
    int value;
    if (!old)
        return arg;
    do
        value = *old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, NULL, memory_order_acquire,
                                                    memory_order_acquire));
    sum = value;
    atomic_store_explicit(&done, old == &second, GIVES);
    return arg;
}

static void *change(void *arg)
{
    int *old = &first;
    atomic_compare_exchange_strong_explicit(&top, &old, &second, memory_order_acq_rel,
                                            memory_order_relaxed);
    return arg;
}

static void *raise_flag(void *arg)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

static void *make_ready(void *arg)
{
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return arg;
}

static void *use(void *arg)
{
    atomic_store_explicit(&top, &first, memory_order_release);
    if (atomic_load_explicit(&done, TAKES) && atomic_load_explicit(&flag, memory_order_relaxed))
        first = 2;
    return arg;
}

int main(void)
{
    void *(*const work[])(void *) = {make_ready, raise_flag, change, take, use};
    enum { N = sizeof work / sizeof *work };
    pthread_t thread[N];
    for (int k = 0; k < N; k++)
        pthread_create(&thread[k], NULL, work[k], NULL);
    for (int k = 0; k < N; k++)
        pthread_join(thread[k], NULL);
    return 0;
}
