// Two threads that are alike: where one of them fails, the other may have stood on the way that
// is found to there.  Result: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int a;

static void *set(void *arg)
{
    atomic_store(&a, 0);
    int found = atomic_load(&a);
    assert(found != 2);
    return arg;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, set, NULL);
    pthread_create(&second, NULL, set, NULL);
    atomic_store(&a, 1);
    int expected = 1;
    atomic_compare_exchange_strong(&a, &expected, 2);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
