/* A map with a lock for each of four stripes.  Whoever makes it larger takes only the
 * locks of the stripes that it knows, and counts what is in it without them.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { STRIPES = 4, THREADS = 6, KEYS = 4 };

static pthread_mutex_t stripe[STRIPES];
static atomic_int entries, in_stripe[STRIPES];
static int number[THREADS];

static void insert(int key)
{
    int s = key % STRIPES;
    pthread_mutex_lock(&stripe[s]);
    atomic_fetch_add(&in_stripe[s], 1);
    atomic_fetch_add(&entries, 1);
    pthread_mutex_unlock(&stripe[s]);
}

static void resize(void)
{
    int sum = 0, all = atomic_load(&entries);
    for (int s = 0; s < STRIPES - 1; s++)
        pthread_mutex_lock(&stripe[s]);
    for (int s = 0; s < STRIPES; s++)
        sum += atomic_load(&in_stripe[s]);
    assert(sum >= all && sum <= all + THREADS);
    for (int s = STRIPES - 1; s-- > 0;)
        pthread_mutex_unlock(&stripe[s]);
}

static void *work(void *arg)
{
    int i = *(int *)arg;
    for (int k = 0; k < KEYS; k++)
        insert(i + k);
    if (i == 0)
        resize();
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (int s = 0; s < STRIPES; s++)
        pthread_mutex_init(&stripe[s], NULL);
    for (int i = 0; i < THREADS; i++) {
        number[i] = i;
        pthread_create(&thread[i], NULL, work, &number[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return 0;
}
