// A pair of numbers under a read-write lock: readers see both of the same age.
// Result: correct.  -DBUG writes under the read lock, which does not keep
// the readers out: data race.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int first, second;

static void *write_it(void *arg)
{
#ifdef BUG
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    first++;
    second++;
    pthread_rwlock_unlock(&lock);
    return arg;
}

static void *read_it(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(first == second);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t writer, reader[2];
    pthread_create(&writer, NULL, write_it, NULL);
    pthread_create(&reader[0], NULL, read_it, NULL);
    pthread_create(&reader[1], NULL, read_it, NULL);
    pthread_join(writer, NULL);
    pthread_join(reader[0], NULL);
    pthread_join(reader[1], NULL);
    return 0;
}
