// A thread that nobody wakes waits for ever, even where one might wake up by itself: what it
// waits for is not so then.
// Options: --spurious-wakeups
// Result: deadlock.  -DWAKES: correct.  -DONE: deadlock.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool is_ready;

static void *wait_for_it(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!is_ready)
        pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t, u;
    pthread_create(&t, NULL, wait_for_it, NULL);
    pthread_create(&u, NULL, wait_for_it, NULL);
#if defined WAKES || defined ONE
    pthread_mutex_lock(&lock);
    is_ready = true;
#ifdef WAKES
    pthread_cond_broadcast(&ready);
#else
    pthread_cond_signal(&ready);
#endif
    pthread_mutex_unlock(&lock);
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
