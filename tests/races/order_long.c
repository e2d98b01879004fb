// A thread that is alone has so many accesses in the single order of seq_cst that its
// transition ends in between; the trace says where. Result: assertion violation. -DJOINED has
// had another thread: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int done, x;
static void *f(void *a)
{
    atomic_fetch_add_explicit(&done, 1, memory_order_release);
    return a;
}
int main(void)
{
    pthread_t t;
#ifdef JOINED
    pthread_create(&t, 0, f, 0);
    for (int k = 0; k < 200; k++)
        atomic_fetch_add(&x, 1);
    pthread_join(t, 0);
#else
    f(0);
#endif
    for (int k = 0; k < 300; k++) {
        atomic_store(&x, k);
        (void)atomic_load(&done);
    }
    assert(done != 1);
}
