// Somebody opens a door, and has not heard of a visitor who then opens it as well and leaves it
// as it was.  The opener's store has not reached memory all the while.
// Result: assertion violation.
// Options: --memory=tso
// Learned: which of two stores of the same value is missed: that of the thread whose buffer
// still has it, not the one that was executed last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int door, visit, gone, left;
static int heard;

static void *opener(void *arg)
{
    atomic_store_explicit(&door, 1, memory_order_relaxed);
    heard = atomic_load_explicit(&visit, memory_order_relaxed);
    while (!atomic_load_explicit(&left, memory_order_relaxed))
        ;
    return arg;
}

static void *visitor(void *arg)
{
    atomic_exchange(&visit, 1);
    int before = atomic_load(&door);
    atomic_store_explicit(&door, 1, memory_order_relaxed);
    atomic_exchange(&door, before);
    atomic_exchange(&gone, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, opener, 0);
    pthread_create(&b, 0, visitor, 0);
    while (!atomic_load(&gone))
        ;
    int open = atomic_load(&door);
    atomic_exchange(&left, 1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(open || heard);
    return 0;
}
