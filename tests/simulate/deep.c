/* An error that six actions of two threads lead to in exactly one order, while eight other
 * threads do something else.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { OTHERS = 8, ROUNDS = 4, DEPTH = 6 };

static atomic_int step, other[OTHERS];
static int number[OTHERS];

/* Each thread may do every second step, at its own place. */
static void walk(int first)
{
    for (int k = first; k < DEPTH; k += 2)
        if (atomic_load(&step) == k)
            atomic_store(&step, k + 1);
}

static void *odd(void *arg)
{
    walk(1);
    return arg;
}

static void *even(void *arg)
{
    walk(0);
    return arg;
}

static void *busy(void *arg)
{
    for (int k = 0; k < ROUNDS; k++)
        atomic_fetch_add(&other[*(int *)arg], 1);
    return NULL;
}

int main(void)
{
    pthread_t thread[OTHERS], a, b;
    for (int i = 0; i < OTHERS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, busy, &number[i]);
    }
    pthread_create(&a, NULL, odd, NULL);
    pthread_create(&b, NULL, even, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    for (int i = 0; i < OTHERS; i++)
        pthread_join(thread[i], NULL);
    assert(atomic_load(&step) < DEPTH);
    return 0;
}
