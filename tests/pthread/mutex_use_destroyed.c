// A mutex is locked after it was destroyed; initialised again, it may be.
// Result: correct.  -DBUG forgets to: pthread misuse.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    pthread_mutex_destroy(&lock);
#ifndef BUG
    pthread_mutex_init(&lock, NULL);
#endif
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
