// A reader waits for a mutex whose owner wants to write.  Result: deadlock.
// -DWRITER they write from the start: correct.
// Expect: deadlock
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *work(void *arg)
{
#ifdef WRITER
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
#else
    pthread_rwlock_rdlock(&lock);
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
    pthread_rwlock_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef WRITER
    work(NULL);
#else
    pthread_mutex_lock(&gate);
    pthread_rwlock_wrlock(&lock);
    x++;
    pthread_rwlock_unlock(&lock);
    pthread_mutex_unlock(&gate);
#endif
    pthread_join(t, NULL);
    (void)x;
    return 0;
}
