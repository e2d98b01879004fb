// Polite philosophers: who does not get the second fork puts the first one back, and begins
// again.  All may do so at once for ever.  Result: livelock.
// -DORDERED takes the forks in the same order, and waits for both: correct.
// -DONE has one of them wait instead: correct.
// Options: --fair
#include <pthread.h>

static pthread_mutex_t fork_[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void eat(int first, int second)
{
#ifdef ORDERED
    pthread_mutex_lock(&fork_[0]);
    pthread_mutex_lock(&fork_[1]);
#else
    for (;;) {
        pthread_mutex_lock(&fork_[first]);
        if (pthread_mutex_trylock(&fork_[second]) == 0)
            break;
        pthread_mutex_unlock(&fork_[first]);
#ifdef ONE
        if (first == 1) {
            pthread_mutex_lock(&fork_[0]);
            pthread_mutex_lock(&fork_[1]);
            break;
        }
#endif
    }
#endif
    pthread_mutex_unlock(&fork_[0]);
    pthread_mutex_unlock(&fork_[1]);
}

static void *philosopher(void *arg)
{
    eat(1, 0);
    return arg;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, philosopher, NULL);
    eat(0, 1);
    pthread_join(other, NULL);
}
