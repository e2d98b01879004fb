// Two threads wait for each other's end.  Result: deadlock or pthread misuse.
// Expect: deadlock
#include <pthread.h>
#include <stdatomic.h>

static _Atomic int ready;
static pthread_t first, second;

static void *one(void *arg)
{
    while (!atomic_load(&ready))
        ;
    pthread_join(second, NULL);
    return arg;
}

static void *two(void *arg)
{
    while (!atomic_load(&ready))
        ;
    pthread_join(first, NULL);
    return arg;
}

int main(void)
{
    pthread_create(&first, NULL, one, NULL);
    pthread_create(&second, NULL, two, NULL);
    atomic_store(&ready, 1);
    pthread_exit(NULL);
}
