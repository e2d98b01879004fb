// Waiting without a loop is right only if nothing wakes a thread by itself.
// Options: --spurious-wakeups
// Result: assertion violation.  -DLOOP looks again: correct.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void *work(void *arg)
{
    pthread_mutex_lock(&lock);
    is_ready = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
#ifdef LOOP
    while (!is_ready)
#else
    if (!is_ready)
#endif
        pthread_cond_wait(&ready, &lock);
    assert(is_ready);
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
