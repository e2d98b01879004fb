// A ticket lock.  Result: correct.
// -DTWICE has a thread give it back twice, so that a ticket is passed over: endless run.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void *work(void *arg)
{
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine)
        ;
    atomic_fetch_add(&serving, 1);
#ifdef TWICE
    if (arg)
        atomic_fetch_add(&serving, 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, work, i ? thread : NULL);
    work(NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
}
