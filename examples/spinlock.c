// A spinlock made of one atomic flag protects a plain counter; waiting for ever is
// possible in theory, but that is no state of its own.  Result: correct.
// -DBUG tests and sets in two steps, so that both may enter: data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int locked;
static int counter;

static void lock(void)
{
#ifdef BUG
    while (atomic_load(&locked))
        ;
    atomic_store(&locked, 1);
#else
    while (atomic_exchange(&locked, 1))
        ;
#endif
}

static void unlock(void)
{
    atomic_store(&locked, 0);
}

static void *count(void *arg)
{
    lock();
    counter++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
