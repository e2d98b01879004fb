// A mutex is unlocked that the thread does not hold.  Result: pthread misuse.
// -DDESTROY one is destroyed that is locked: pthread misuse.
// -DTWICE a thread is joined twice: pthread misuse or memory error.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
#if defined DESTROY
    pthread_mutex_lock(&lock);
    pthread_mutex_destroy(&lock);
#elif defined TWICE
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(t, NULL);
#else
    pthread_mutex_unlock(&lock);
#endif
    (void)work;
    (void)lock;
    return 0;
}
