// Threads that wait for what each would store after it go round with a number of their own,
// each by itself: there are more states from which no end comes than are looked at to shorten
// the way to them. Result: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *wait(void *arg)
{
    for (unsigned n = 0; !atomic_load_explicit(&flag, memory_order_relaxed);)
        n = (n + 1) % 30;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return arg;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, wait, NULL);
    pthread_create(&two, NULL, wait, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
}
