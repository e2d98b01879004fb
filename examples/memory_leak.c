// Two threads set up the same table; the one that comes second forgets the
// table that it has just made.  Only some interleavings leak.  Result: memory error.
// -DFIXED frees it: correct.
// Expect: memory leak
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) shared;

static void *set_up(void *arg)
{
    if (atomic_load(&shared))
        return arg;
    int *mine = malloc(10 * sizeof *mine), *none = NULL;
    if (!atomic_compare_exchange_strong(&shared, &none, mine)) {
#ifdef FIXED
        free(mine);
#endif
    }
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, set_up, NULL);
    pthread_create(&b, NULL, set_up, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_load(&shared));
    return 0;
}
