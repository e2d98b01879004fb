// Each of two threads says that it wants to go in, and waits while the other does: both spin.
// Result: endless run.
// -DTURN lets one of them go first (Peterson): correct.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;

static void *work(void *arg)
{
    int me = arg != NULL;
    atomic_store(&wants[me], 1);
#ifdef TURN
    atomic_store(&turn, !me);
    while (atomic_load(&wants[!me]) && atomic_load(&turn) == !me)
        ;
#else
    while (atomic_load(&wants[!me]))
        ;
#endif
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, &thread);
    work(NULL);
    pthread_join(thread, NULL);
}
