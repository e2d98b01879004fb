// Peterson's lock with its two first lines swapped: it gives way before it says that
// it wants to enter, and both threads get in.  Result: assertion violation.
// -DFIXED has them in the right order: correct.
// Expect: assertion
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int wants[2], turn, inside;

static void *work(void *arg)
{
    int me = (int)(intptr_t)arg, other = 1 - me;
#ifdef FIXED
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
#else
    atomic_store(&turn, other);
    atomic_store(&wants[me], 1);
#endif
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
