// Two threads fill halves of an array, meet at a barrier, and read each other's
// half: the barrier orders the accesses, no lock is needed.  Result: correct.
// -DBUG forgets to wait: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t both;
static int half[2];

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg;
    half[me] = me + 1;
#ifndef BUG
    pthread_barrier_wait(&both);
#endif
    assert(half[1 - me] == 2 - me);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_barrier_destroy(&both);
    return 0;
}
