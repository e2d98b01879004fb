// Who needs a lock that others take and give back for ever gets it in a strongly fair run.
// Result: correct.
// -DTRIES tries, and may be unlucky each time, though it takes steps: livelock.
// -DTIMED waits with a time limit, by which it may be given up each time: livelock.
// -DPOLLS: the other one polls with a time limit, and sleeps meanwhile: correct.
// Options: --fair=strong
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop;

static void *tell(void *arg)
{
    struct timespec limit = {1, 0};
    (void)limit;
#ifdef TRIES
    while (pthread_mutex_trylock(&lock) != 0)
        ;
#elif defined TIMED
    while (pthread_mutex_timedlock(&lock, &limit) != 0)
        ;
#else
    pthread_mutex_lock(&lock);
#endif
    stop = 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    struct timespec limit = {1, 0};
    (void)limit;
    pthread_t thread;
    pthread_create(&thread, NULL, tell, NULL);
    for (int stopped = 0; !stopped;) {
        pthread_mutex_lock(&lock);
#ifdef POLLS
        if (!stop)
            pthread_cond_timedwait(&changed, &lock, &limit);
#endif
        stopped = stop;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
}
