// volatile does not order anything.  Result: data race.
// -DATOMIC atomic does: correct.
#include <pthread.h>
#include <stdatomic.h>

#ifdef ATOMIC
static atomic_int ready;
#else
static volatile int ready;
#endif
static int x;

static void *work(void *arg)
{
    x = 1;
    ready = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    if (ready)
        x = 2;
    pthread_join(t, NULL);
    return 0;
}
