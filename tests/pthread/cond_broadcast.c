// A broadcast wakes all who wait.  Result: correct.
// -DBUG signals once: deadlock.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t open_ = PTHREAD_COND_INITIALIZER;
static bool is_open;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&open_, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&t[k], NULL, work, NULL);
    pthread_mutex_lock(&lock);
    is_open = true;
#ifdef BUG
    pthread_cond_signal(&open_);
#else
    pthread_cond_broadcast(&open_);
#endif
    pthread_mutex_unlock(&lock);
    for (int k = 0; k < 2; k++)
        pthread_join(t[k], NULL);
    return 0;
}
