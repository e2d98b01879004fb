// Readers may read together, a writer is alone.  Result: correct.
// -DBUG writes under a read lock: data race.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void *reader(void *arg)
{
    pthread_rwlock_rdlock(&lock);
    assert(a == b);
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, reader, NULL);
#ifdef BUG
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    a++;
    b++;
    pthread_rwlock_unlock(&lock);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    assert(pthread_rwlock_destroy(&lock) == 0);
    return 0;
}
