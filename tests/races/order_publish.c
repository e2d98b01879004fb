// An object is published by a pointer.  What was written while it was private has to happen
// before it is read, too.  Result: correct. -DRELAXED stores the pointer relaxed, -DTAKEN loads
// it so: data race.
// Expect-RELAXED: data race: main at .*order_publish.c:@read .*maker at
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifdef RELAXED
#define GIVE memory_order_relaxed
#else
#define GIVE memory_order_release
#endif
#ifdef TAKEN
#define TAKE memory_order_relaxed
#else
#define TAKE memory_order_acquire
#endif

static _Atomic(int *) place;

static void *maker(void *arg)
{
    int *made = malloc(sizeof *made);
    if (!made)
        abort();
    *made = 7;
    atomic_store_explicit(&place, made, GIVE);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, maker, NULL);
    int *found = atomic_load_explicit(&place, TAKE);
    if (found)
        assert(*found == 7); // @read
    pthread_join(t, NULL);
    free(atomic_load_explicit(&place, memory_order_relaxed));
    return 0;
}
