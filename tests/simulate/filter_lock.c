/* Peterson's lock for six threads, in which a thread gives way only where somebody is at
 * its own level, not at one above it.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 6 };

static atomic_int level[N], last[N], inside;
static int number[N];

static int has_rival(int i, int k)
{
    for (int j = 0; j < N; j++)
        if (j != i && atomic_load(&level[j]) == k)
            return 1;
    return 0;
}

static void *work(void *arg)
{
    int i = *(int *)arg;
    for (int k = 1; k < N; k++) {
        atomic_store(&level[i], k);
        atomic_store(&last[k], i);
        while (atomic_load(&last[k]) == i && has_rival(i, k))
            ;
    }
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    atomic_store(&level[i], 0);
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
