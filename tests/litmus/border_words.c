// A thread puts a pointer into a large structure of which other words differ.  What a known
// transition leads to depends on these, too: they are visited again as soon as the structure
// leads to an object of the heap.  Result: correct.  -DBAD=0..7: assertion violation.
#include <assert.h>
#include <divm.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct {
    atomic_int value[200];
    _Atomic(int *) slot;
} table;

static void *fill(void *arg)
{
    int *made = malloc(sizeof(int));
    atomic_store(&table.slot, made);
    return arg;
}

int main(void)
{
    pthread_t thread;
    table.value[7] = divm_choose(8);
    pthread_create(&thread, NULL, fill, NULL);
    pthread_join(thread, NULL);
#ifdef BAD
    assert(atomic_load(&table.value[7]) != BAD);
#endif
    free(atomic_load(&table.slot));
    return 0;
}
