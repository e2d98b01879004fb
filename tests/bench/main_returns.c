// The indexer's threads, which nobody joins: main returns while they run.  Result: correct.
// The process can end after any of their steps.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#ifndef N
#define N 2
#endif
enum { SIZE = 128, MAX = 4 };
static atomic_int table[SIZE];
static void *insert(void *arg)
{
    int tid = (int)(long)arg;
    for (int m = 0; m < MAX; m++) {
        int w = (m + 1) * 11 + tid, h = (w * 7) % SIZE, none = 0;
        while (!atomic_compare_exchange_strong(&table[h], &none, w)) {
            h = (h + 1) % SIZE;
            none = 0;
        }
    }
    return NULL;
}
int main(void)
{
    pthread_t t;
    for (long i = 0; i < N; i++)
        if (pthread_create(&t, NULL, insert, (void *)i))
            abort();
    return 0;
}
