// A thread takes a lock and gives it back for ever, until another one, which needs the lock for
// that, tells it to stop.  To get the lock never is weakly fair: it can be had only now and
// then. Result: livelock.  -DATOMIC tells without the lock: correct.
// Options: --fair
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int stop;

static void *tell(void *arg)
{
#ifndef ATOMIC
    pthread_mutex_lock(&lock);
#endif
    stop = 1;
#ifndef ATOMIC
    pthread_mutex_unlock(&lock);
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, tell, NULL);
    for (int stopped = 0; !stopped;) {
        pthread_mutex_lock(&lock);
        stopped = stop;
        pthread_mutex_unlock(&lock);
    }
    pthread_join(thread, NULL);
}
