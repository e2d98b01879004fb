// while (1); in a thread, and another that fails an assertion meanwhile.
// Result: assertion violation.
// -DFINE does not: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x;

static void *loop(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    while (1)
        ;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, loop, NULL);
    int seen = atomic_load(&x);
#ifdef FINE
    assert(seen == 0 || seen == 1);
#else
    assert(seen == 0);
#endif
    exit(0);
}
