// A signal closes a circle of waits, or leaves the main thread with a mutex that nobody will
// unlock: the last of what closes it finds that, be it a lock, an end or the signal.
//
// Result: deadlock.
// -DLEFT has a thread end with the mutex: deadlock.
// -DAFTER signals only when the other one has the mutex: deadlock.
// -DFREE has no circle: correct.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t has_locked;

static void *locks(void *unused)
{
    pthread_mutex_lock(&m);
    sem_post(&has_locked);
#ifdef LEFT
    return unused;
#endif
#ifndef FREE
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
#endif
    pthread_mutex_unlock(&m);
    return unused;
}

static void *signals(void *unused)
{
#ifdef AFTER
    sem_wait(&has_locked);
#endif
    pthread_cond_signal(&c);
    _Exit(0);
    return unused;
}

int main(void)
{
    pthread_t one, two;
    sem_init(&has_locked, 0, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&a);
    pthread_create(&one, NULL, locks, NULL);
    pthread_create(&two, NULL, signals, NULL);
    pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&a);
    return 0;
}
