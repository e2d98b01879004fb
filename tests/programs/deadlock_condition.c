// Nobody signals.  Result: deadlock.
// -DEARLY the signal comes before anybody waits: deadlock.
// -DONE two wait, one signal comes: deadlock.
// Expect: deadlock
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *wait_once(void *arg)
{
    pthread_mutex_lock(&lock);
    waiting++;
    pthread_cond_wait(&condition, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
#ifdef EARLY
    pthread_cond_signal(&condition);
#endif
    pthread_create(&a, NULL, wait_once, NULL);
    pthread_create(&b, NULL, wait_once, NULL);
#ifdef ONE
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
