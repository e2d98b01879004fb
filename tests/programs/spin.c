// Waiting for a flag in a loop; the waiter may wait for ever only if the scheduler
// is unfair, which is no error.  Result: correct.
// -DBUG nobody sets the flag after it was cleared: endless run.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *work(void *arg)
{
    data = 1;
    atomic_store(&flag, 1);
#ifdef BUG
    atomic_store(&flag, 0);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    while (!atomic_load(&flag))
        ;
    assert(data == 1);
    pthread_join(t, NULL);
    return 0;
}
