/* Two threads add to and look up in one hash table, under a lock: correct.  -DBUG counts
 * what is in it without the lock: a data race. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <uthash.h>

struct item {
    int key, value;
    UT_hash_handle hh;
};

static struct item *table;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    int key = *(int *)arg;
    struct item *made = calloc(1, sizeof *made), *found;
    made->key = key;
    made->value = 10 * key;
    pthread_mutex_lock(&mutex);
    HASH_ADD_INT(table, key, made);
    pthread_mutex_unlock(&mutex);
#ifdef BUG
    assert(HASH_COUNT(table) >= 1);
#endif
    pthread_mutex_lock(&mutex);
    HASH_FIND_INT(table, &key, found);
    assert(found == made && found->value == 10 * key);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int keys[] = {1, 2};
    struct item *item, *next;
    pthread_create(&thread, NULL, work, &keys[0]);
    work(&keys[1]);
    pthread_join(thread, NULL);
    assert(HASH_COUNT(table) == 2);
    HASH_ITER(hh, table, item, next)
    {
        HASH_DEL(table, item);
        free(item);
    }
    return 0;
}
