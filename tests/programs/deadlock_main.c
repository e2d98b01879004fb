// Two threads lock two mutexes in different orders and main waits for them, while another
// thread goes on for ever: the process cannot finish.  Result: deadlock.
// -DFREE lets main end the process: correct.
// -DRUNS lets main itself go on for ever; it is not stuck, but ends nothing: endless run.
// -DENDS ends main, so that the process ends with the last thread: deadlock.
// -DDETACHED does so after detaching the others, and itself: deadlock.
// Expect: deadlock: 3 of 4 threads are blocked forever, the main thread too
// Expect-ENDS: deadlock: 2 of 3 threads are blocked forever, and the main thread has ended
// Expect-DETACHED: deadlock: 2 of 3 threads are blocked forever, and the main thread has ended
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int x;

static void *forth(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *back(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *run_on(void *arg)
{
    (void)arg;
    for (;;)
        atomic_exchange(&x, 1);
}

int main(void)
{
    pthread_t t, u, v;
    pthread_create(&t, NULL, forth, NULL);
    pthread_create(&u, NULL, back, NULL);
    pthread_create(&v, NULL, run_on, NULL);
#ifdef DETACHED
    pthread_detach(t);
    pthread_detach(u);
    pthread_detach(pthread_self());
#endif
#if defined ENDS || defined DETACHED
    pthread_exit(NULL);
#elif defined RUNS
    run_on(NULL);
#elif !defined FREE
    pthread_join(t, NULL);
    pthread_join(u, NULL);
#endif
    return 0;
}
