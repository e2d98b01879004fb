// A thread with a higher priority is not always first: see docs/LIMITS.md.
// Result: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int first;

static void *run(void *priority)
{
    int none = 0;
    atomic_compare_exchange_strong(&first, &none, *(int *)priority);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int priorities[2] = {90, 10};
    for (int i = 0; i < 2; i++) {
        pthread_attr_t attr;
        pthread_attr_init(&attr);
        pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
        pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
        pthread_attr_setschedparam(&attr,
                                   &(struct sched_param){.sched_priority = priorities[i]});
        pthread_create(&threads[i], &attr, run, &priorities[i]);
        pthread_attr_destroy(&attr);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&first) == 90);
    return 0;
}
