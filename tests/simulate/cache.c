/* A cache evicts the oldest entry when it is full; a reader takes an entry out of the
 * table under the lock, and looks at it without it.
 * Result: memory error or data race. */
#include <pthread.h>
#include <stdlib.h>

enum { ENTRIES = 3, READERS = 4, WRITERS = 3 };

struct entry {
    int key, value;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct entry *table[ENTRIES];
static int oldest;

static void insert(int key)
{
    struct entry *entry = malloc(sizeof *entry);
    *entry = (struct entry){key, 2 * key};
    pthread_mutex_lock(&lock);
    free(table[oldest]);
    table[oldest] = entry;
    oldest = (oldest + 1) % ENTRIES;
    pthread_mutex_unlock(&lock);
}

static void *read_one(void *arg)
{
    pthread_mutex_lock(&lock);
    struct entry *entry = table[1];
    pthread_mutex_unlock(&lock);
    return entry && entry->value != 2 * entry->key ? arg : NULL;
}

static void *write_one(void *arg)
{
    insert(1);
    return arg;
}

int main(void)
{
    pthread_t reader[READERS], writer[WRITERS];
    for (int i = 0; i < ENTRIES; i++)
        insert(i);
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&writer[i], NULL, write_one, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_create(&reader[i], NULL, read_one, NULL);
    for (int i = 0; i < READERS; i++)
        pthread_join(reader[i], NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writer[i], NULL);
    for (int i = 0; i < ENTRIES; i++)
        free(table[i]);
    return 0;
}
