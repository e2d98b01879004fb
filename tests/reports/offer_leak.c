// Each thread makes a buffer; only the one that is published is freed.
// Result: memory error. Learned: thread 3 published mine#1 first, and thread 2, whose exchange
// failed, kept mine#2, which nobody frees.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

_Atomic(int *) best;

static void *offer(void *arg)
{
    int *mine = malloc(4 * sizeof *mine), *none = NULL;
    mine[0] = arg != NULL;
    if (!atomic_compare_exchange_strong(&best, &none, mine))
        return NULL;
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, offer, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    free(best);
    return 0;
}
