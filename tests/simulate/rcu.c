/* Readers count themselves in one of two epochs.  A reader that has chosen an epoch and
 * not counted itself yet is not waited for, so what it reads is freed.
 * Result: memory error. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { READERS = 6, UPDATES = 2 };

static atomic_int epoch, readers[2];
static _Atomic(int *) current;

static void *read_it(void *arg)
{
    int mine = atomic_load(&epoch);
    int *seen = atomic_load(&current); /* must come after the next line */
    atomic_fetch_add(&readers[mine], 1);
    int value = *(volatile int *)seen;
    atomic_fetch_sub(&readers[mine], 1);
    return value < 0 ? arg : NULL;
}

static void *update(void *arg)
{
    for (int i = 1; i <= UPDATES; i++) {
        int *fresh = malloc(sizeof *fresh);
        *fresh = i;
        int *old = atomic_exchange(&current, fresh);
        int before = atomic_fetch_xor(&epoch, 1);
        while (atomic_load(&readers[before]) || atomic_load(&readers[1 - before]))
            ;
        free(old);
    }
    return arg;
}

int main(void)
{
    pthread_t thread[READERS], updater;
    int *first = malloc(sizeof *first);
    *first = 0;
    atomic_store(&current, first);
    for (int i = 0; i < READERS; i++)
        pthread_create(&thread[i], NULL, read_it, NULL);
    pthread_create(&updater, NULL, update, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(updater, NULL);
    free(atomic_load(&current));
    return 0;
}
