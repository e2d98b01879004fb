// A heap that is older than the threads and large enough to be settled, and a lost update: the
// error is found, and replayed, by each search.  Result: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { CELLS = 400 };

struct cell {
    struct cell *next;
    int value;
};

static atomic_int counter;
static struct cell *list;

static void *count(void *arg)
{
    int seen = atomic_load(&counter);
    atomic_store(&counter, seen + 1);
    return arg;
}

int main(void)
{
    for (int k = 0; k < CELLS; k++) {
        struct cell *cell = malloc(sizeof *cell);
        cell->next = list;
        cell->value = k;
        list = cell;
    }
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, count, NULL);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(atomic_load(&counter) == 2);
    return 0;
}
