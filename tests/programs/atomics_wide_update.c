// Two threads add to a number of 16 bytes by a load and a store, so that an update can be
// lost: by whatever search.
// Options: --search=dpor
// Result: assertion violation.
// -DFIXED, by one action: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic __int128 sum;

static void *add(void *arg)
{
#ifdef FIXED
    atomic_fetch_add(&sum, 1);
#else
    __int128 seen = atomic_load(&sum);
    atomic_store(&sum, seen + 1);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, add, NULL);
    add(NULL);
    pthread_join(thread, NULL);
    assert(atomic_load(&sum) == 2);
    return 0;
}
