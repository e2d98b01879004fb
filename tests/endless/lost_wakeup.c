// The waiter looks at the flag before it waits, without the lock: it may miss the signal, and
// main, which looks now and then, goes on for ever.  Result: endless run. -DLOCKED looks with
// the lock held: correct.
// Expect: waits on condition variable ready
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static atomic_int flag, finished;

static void *wait_for_flag(void *arg)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
    while (!flag)
        pthread_cond_wait(&ready, &mutex);
    pthread_mutex_unlock(&mutex);
#else
    if (!flag) {
        pthread_mutex_lock(&mutex);
        pthread_cond_wait(&ready, &mutex);
        pthread_mutex_unlock(&mutex);
    }
#endif
    finished = 1;
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    pthread_mutex_lock(&mutex);
    flag = 1;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&mutex);
    while (!finished)
        sched_yield();
    pthread_join(thread, NULL);
}
