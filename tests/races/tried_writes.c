// A thread writes plainly to a variable, fails to exchange another one, writes again and tries
// again. A reader knows only by a relaxed flag that the exchange has come: a race. Result: data
// race. -DORDERED passes the message on by release and acquire: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDERED
#define GIVES memory_order_release
#define TAKES memory_order_acquire
#else
#define GIVES memory_order_relaxed
#define TAKES memory_order_relaxed
#endif

static atomic_int top, done;
static int before;

static void *push(void *arg)
{
    int old = atomic_load_explicit(&top, memory_order_relaxed);
    do
        before = old;
    while (!atomic_compare_exchange_strong_explicit(&top, &old, old + 1, memory_order_relaxed,
                                                    memory_order_relaxed));
    atomic_store_explicit(&done, 1, GIVES);
    return arg;
}

static void *add(void *arg)
{
    atomic_fetch_add_explicit(&top, 10, memory_order_relaxed);
    return arg;
}

static void *read_it(void *arg)
{
    if (atomic_load_explicit(&done, TAKES))
        assert(before == 0 || before == 10 || before == 20);
    return arg;
}

int main(void)
{
    void *(*const work[])(void *) = {push, add, add, read_it};
    enum { N = sizeof work / sizeof *work };
    pthread_t thread[N];
    for (int k = 0; k < N; k++)
        pthread_create(&thread[k], NULL, work[k], NULL);
    for (int k = 0; k < N; k++)
        pthread_join(thread[k], NULL);
    assert(before == 0 || before == 10 || before == 20);
    return 0;
}
