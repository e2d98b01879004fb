// A read lock is given back by a thread that has none, while another has one.
// Result: pthread misuse.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *work(void *arg)
{
    pthread_rwlock_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_rwlock_unlock(&lock);
    return 0;
}
