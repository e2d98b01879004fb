// Threads make threads and objects, which come after others in one order of events and
// before them in another: they are the same ones.  Result: correct.
// Outcomes r1 r2, what t1 and its child read of the cell that t3 makes, 2 and perhaps
// one more, or 0 if there is none yet: 00 02 20 22 32.
// -DBUG=1..5 claims that one of them does not occur: assertion violation.
#include "litmus.h"

#include <stdlib.h>

static _Atomic(atomic_int *) shared;
static _Atomic(void *) other;
static atomic_int x;
static int r1, r2;

THREAD(child)
{
    atomic_int *cell = atomic_load(&shared);
    if (cell)
        r2 = atomic_fetch_add(cell, 1);
    return arg;
}

THREAD(t1)
{
    pthread_t thread;
    (void)atomic_load(&shared);
    atomic_store(&other, malloc(4));
    pthread_create(&thread, NULL, child, NULL);
    atomic_int *cell = atomic_load(&shared);
    if (cell)
        r1 = atomic_load(cell);
    pthread_join(thread, NULL);
    return arg;
}

THREAD(t3)
{
    atomic_int *cell = malloc(sizeof *cell);
    atomic_store(&x, 0);
    atomic_init(cell, 2);
    atomic_store(&shared, cell);
    return arg;
}

int main(void)
{
    static const int allowed[] = {0, 2, 20, 22, 32};
    pthread_t first, second;
    pthread_create(&first, NULL, t1, NULL);
    (void)atomic_load(&x);
    pthread_create(&second, NULL, t3, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    outcome(10 * r1 + r2, allowed, sizeof allowed / sizeof *allowed);
    free(atomic_load(&shared));
    free(atomic_load(&other));
    return 0;
}
