// Relaxed accesses order nothing: x is written by both threads, and though one comes after the
// other in every run, nothing makes the first happen before the second.  Result: data race.
// -DORDERED passes on with release and acquire what was done before: correct.
// Expect: data race: main at .*order_relaxed.c:@second .*writer at .*order_relaxed.c:@first
#include <pthread.h>
#include <stdatomic.h>

#ifdef ORDERED
#define GIVE memory_order_release
#define TAKE memory_order_acquire
#else
#define GIVE memory_order_relaxed
#define TAKE memory_order_relaxed
#endif

static int x;
static atomic_int y;

static void *writer(void *arg)
{
    x = 1; // @first
    atomic_store_explicit(&y, 1, GIVE);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writer, NULL);
    if (atomic_load_explicit(&y, TAKE))
        x = 2; // @second
    pthread_join(t, NULL);
    return 0;
}
