// A thread locks a normal mutex twice: it waits for itself.  Result: deadlock.
// -DENDED its owner has ended without unlocking: deadlock or pthread misuse.
// Expect: deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
#ifdef ENDED
    pthread_join(t, NULL);
#else
    pthread_join(t, NULL);
    pthread_mutex_t mine = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mine);
    pthread_mutex_lock(&mine);
#endif
    pthread_mutex_lock(&lock);
    return 0;
}
