// What a condition variable's waiter reads under the mutex is ordered; what it reads
// after waking, without the mutex, too, if it was written before.  Result: correct.
// -DAFTER the signaller writes after it unlocked: data race.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready, data;

static void *work(void *arg)
{
#ifndef AFTER
    data = 1;
#endif
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
#ifdef AFTER
    data = 1;
#endif
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    int seen = data;
    (void)seen;
    pthread_join(t, NULL);
    return 0;
}
