// What stands between divm_atomic_begin and divm_atomic_end is one step.
// Result: correct.
// -DBUG without them: assertion violation.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *work(void *arg)
{
#ifndef BUG
    divm_atomic_begin();
#endif
    atomic_store(&x, atomic_load(&x) + 1);
    atomic_store(&y, atomic_load(&y) + 1);
#ifndef BUG
    divm_atomic_end();
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 2 && y == 2);
    return 0;
}
