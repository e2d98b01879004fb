// A lock by exchanges that are seq_cst, which one thread never gives back, in a program with a
// weaker access: each round of the other one is new to C11's model, and no end comes.
// Result: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int lock, count;

static void *work(void *arg)
{
    while (atomic_exchange(&lock, 1)) {
    }
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    if (arg)
        atomic_store(&lock, 0);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, &lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
