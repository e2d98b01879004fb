/* A reader of a sequence lock looks at the count before it reads, and not after it.  Six
 * writers take turns by a lock.
 * Result: assertion violation. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { WRITERS = 6, WORDS = 3 };

static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count, word[WORDS];

static void *write_words(void *arg)
{
    pthread_mutex_lock(&writing);
    atomic_fetch_add(&count, 1);
    for (int i = 0; i < WORDS; i++)
        atomic_fetch_add(&word[i], 1);
    atomic_fetch_add(&count, 1);
    pthread_mutex_unlock(&writing);
    return arg;
}

static void *read_words(void *arg)
{
    int seen[WORDS];
    if (atomic_load(&count) % 2)
        return arg;
    for (int i = 0; i < WORDS; i++)
        seen[i] = atomic_load(&word[i]);
    for (int i = 1; i < WORDS; i++)
        assert(seen[i] == seen[0]);
    return arg;
}

int main(void)
{
    pthread_t thread[WRITERS], reader;
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&thread[i], NULL, write_words, NULL);
    pthread_create(&reader, NULL, read_words, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
