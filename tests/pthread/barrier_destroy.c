// The serial thread may destroy the barrier and free its memory.  Result: correct.
// -DBUG destroys it while a thread may wait: pthread misuse.
#include <pthread.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;

static void *work(void *arg)
{
    if (pthread_barrier_wait(barrier)) {
        pthread_barrier_destroy(barrier);
        free(barrier);
    }
    return arg;
}

int main(void)
{
    pthread_t t;
    barrier = malloc(sizeof *barrier);
    pthread_barrier_init(barrier, NULL, 2);
    pthread_create(&t, NULL, work, NULL);
#ifdef BUG
    pthread_barrier_destroy(barrier);
#else
    work(NULL);
#endif
    pthread_join(t, NULL);
    return 0;
}
