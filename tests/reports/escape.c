// A thread writes into a local variable of the function that started it, which has returned.
// Result: memory error.
// Learned: whose variable it is, where its function ended, and where it is written.
#include <pthread.h>
#include <stdatomic.h>

static void *fill(void *arg)
{
    atomic_store((atomic_int *)arg, 1);
    return NULL;
}

static pthread_t start(void)
{
    atomic_int result = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, fill, &result);
    return thread;
}

int main(void)
{
    pthread_join(start(), NULL);
    return 0;
}
