/* A ring of seven elects the one with the highest number: each tells its neighbour the
 * highest that it knows.  Who hears its own number leads; a number that comes while the
 * box is full replaces the one there, even if that was higher.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { N = 7 };

static atomic_int box[N], leaders;
static int number[N];

static void *work(void *arg)
{
    int i = *(int *)arg, own = (3 * i) % N + 1, highest = own;
    atomic_store(&box[(i + 1) % N], own);
    for (int k = 0; k < N; k++) {
        int heard = atomic_exchange(&box[i], 0);
        if (heard == own && k == N - 1)
            atomic_fetch_add(&leaders, 1);
        if (heard > highest)
            highest = heard;
        if (heard)
            atomic_store(&box[(i + 1) % N], highest);
    }
    if (highest == own)
        assert(atomic_fetch_add(&leaders, 1) == 0);
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
