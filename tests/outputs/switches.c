// Each thread does N things of its own before and after it adds 1 in two steps: an update can
// be lost with a single preemption, between the two steps.  Result: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif
static atomic_int counter, own[3];

static void *add(void *arg)
{
    atomic_int *mine = arg;
    for (int i = 0; i < N; i++)
        atomic_fetch_add(mine, 1);
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    for (int i = 0; i < N; i++)
        atomic_fetch_add(mine, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, add, &own[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) + own[0] + own[1] + own[2] == 3 + 6 * N);
}
