// Threads add to their own cells of a table of SIZE numbers, and look at their neighbour's.
// Result: correct.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef SIZE
#define SIZE 2048
#endif
#ifndef STEPS
#define STEPS 3
#endif
enum { N = 4 };

static atomic_int cell[SIZE];

static int place(int thread, int step)
{
    return (thread % N * 1000 + step * 300) % SIZE;
}

static void *work(void *arg)
{
    int id = (int)(intptr_t)arg;
    for (int k = 0; k < STEPS; k++) {
        atomic_fetch_add(&cell[place(id, k)], 1);
        assert(atomic_load(&cell[place(id + 1, k)]) <= N * STEPS);
    }
    return NULL;
}

int main(void)
{
    pthread_t t[N];
    for (int k = 0; k < N; k++)
        pthread_create(&t[k], NULL, work, (void *)(intptr_t)k);
    for (int k = 0; k < N; k++)
        pthread_join(t[k], NULL);
    return 0;
}
