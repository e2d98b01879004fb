// Weaker orders than seq_cst are checked as sequentially consistent.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *work(void *arg)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_release);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (atomic_load_explicit(&ready, memory_order_acquire))
        assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
