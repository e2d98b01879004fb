/* A thread reads a version, and another one makes fifty changes; the first one is wrong
 * only if all of them come between its two reads.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { CHANGES = 50 };

static atomic_int version;

static void *look(void *arg)
{
    int before = atomic_load(&version);
    int after = atomic_load(&version);
    assert(after - before < CHANGES);
    return arg;
}

static void *change(void *arg)
{
    for (int i = 0; i < CHANGES; i++)
        atomic_fetch_add(&version, 1);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, change, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
