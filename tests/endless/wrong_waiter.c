// Two threads wait for different things at one condition variable, and one signal comes: it may
// wake the one that it is not for, which waits on, while main asks on.  Result: endless run.
// -DALL wakes both: correct. -DPASSED: who is not meant passes the signal on: correct.
// Expect: waits on condition variable changed
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready[2];
static atomic_int finished;

static void *await(void *arg)
{
    int *mine = arg;
    pthread_mutex_lock(&mutex);
    while (!*mine) {
        pthread_cond_wait(&changed, &mutex);
#ifdef PASSED
        if (!*mine)
            pthread_cond_signal(&changed);
#endif
    }
    pthread_mutex_unlock(&mutex);
    finished++;
    return arg;
}

static void tell(int k)
{
    pthread_mutex_lock(&mutex);
    ready[k] = 1;
#ifdef ALL
    pthread_cond_broadcast(&changed);
#else
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    pthread_t thread[2];
    for (int k = 0; k < 2; k++)
        pthread_create(&thread[k], NULL, await, &ready[k]);
    tell(0);
    while (finished < 1)
        sched_yield();
    tell(1);
    for (int k = 0; k < 2; k++)
        pthread_join(thread[k], NULL);
}
