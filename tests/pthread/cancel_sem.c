// Whether the semaphore is had or the thread is cancelled first: both happen, and a
// cancelled thread has not taken anything.  Result: correct.
// -DBUG=1 claims that it is always cancelled, -DBUG=2 never: assertion violation.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#ifndef BUG
#define BUG 0
#endif

static sem_t sem;

static void *work(void *arg)
{
    sem_wait(&sem);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;
    int value;
    sem_init(&sem, 0, 0);
    pthread_create(&t, NULL, work, NULL);
    sem_post(&sem);
    pthread_cancel(t);
    pthread_join(t, &result);
    sem_getvalue(&sem, &value);
    if (result == PTHREAD_CANCELED)
        assert(value == 1 && BUG != 2);
    else
        assert(value == 0 && BUG != 1);
    return 0;
}
